import TestSupport
import Testing

/// The features of Rhino's built-in objects that the engine's objects lack.
@Suite("Rhino's library")
struct RhinoLibraryTests {
    private func value(_ body: String) async throws -> String {
        let project = try await TestProject("function run() { \(body) }")
        return await project.call()
    }

    @Test(
        "An error in a result has its message and the script's additions",
        arguments: [
            ("try { none() } catch (e) { return { error: e } }", #"{"message":"Can't find variable: none"}"#),
            ("return { error: [new TypeError('t')] }", #"[{"message":"t"}]"#),
            ("var e = new Error('m'); e.code = 7; return { error: e }", #"{"message":"m","code":7}"#),
        ])
    func errors(body: String, expected: String) async throws {
        #expect(try await value(body) == #"{"isSuccessful":true,"error":\#(expected)}"#)
    }

    @Test("An error that is the result is an object with a message")
    func returned() async throws {
        #expect(try await value("return new Error('m')") == #"{"isSuccessful":true,"message":"m"}"#)
    }

    @Test("An error has the file and the line of the author's script")
    func place() async throws {
        let script =
            "try {\nfor each (var x in [1]) none();\n} catch (e) { return { v: e.fileName + '#' + e.lineNumber } }"
        #expect(try await value(script) == #"{"isSuccessful":true,"v":"adapters/A/A-impl.js#2"}"#)
    }

    @Test("An error's location that a script sets is kept")
    func ownPlace() async throws {
        #expect(
            try await value("var e = new Error('m'); e.lineNumber = 5; return { v: e.lineNumber }")
                == #"{"isSuccessful":true,"v":5}"#)
    }

    @Test(
        "Strings are compared as in Java",
        arguments: [
            ("'a'.equals('a')", "true"), ("'a'.equals(new String('a'))", "true"), ("'a'.equals('A')", "false"),
            ("'a'.equalsIgnoreCase('A')", "true"), ("'a'.equalsIgnoreCase('b')", "false"),
        ])
    func equality(expression: String, expected: String) async throws {
        #expect(try await value("return { v: \(expression) }") == #"{"isSuccessful":true,"v":\#(expected)}"#)
    }

    @Test("A loop over an object's members shows none of the library")
    func hidden() async throws {
        #expect(
            try await value(
                "var l = []; for (var k in new Error('m')) l.push(k); for (k in 'a') l.push(k); return { l: l }")
                == #"{"isSuccessful":true,"l":["0"]}"#)
    }

    @Test(
        "A date's string has the zone as Rhino wrote it",
        arguments: [
            ("String(new Date(0))", "Thu Jan 01 1970 00:00:00 GMT-0000 (UTC)"),
            ("'' + new Date(1e12)", "Sun Sep 09 2001 01:46:40 GMT-0000 (UTC)"),
            ("new Date(0).toTimeString()", "00:00:00 GMT-0000 (UTC)"), ("String(new Date(NaN))", "Invalid Date"),
            ("new Date(0).toDateString()", "Thu Jan 01 1970"),
            ("new Date(0).toISOString()", "1970-01-01T00:00:00.000Z"),
            ("new Date(String(new Date(1e12))).getTime()", "1000000000000"),
            ("Date().replace(/.*GMT/, 'GMT')", "GMT-0000 (UTC)"),
        ])
    func dates(expression: String, expected: String) async throws {
        #expect(try await value("return { v: String(\(expression)) }") == #"{"isSuccessful":true,"v":"\#(expected)"}"#)
    }

    @Test("toString of something that is not a date fails, as the engine's does")
    func foreignDate() async throws {
        let body = "try { Date.prototype.toString.call({}) } catch (e) { return { v: e instanceof TypeError } }"
        #expect(try await value(body) == #"{"isSuccessful":true,"v":true}"#)
    }
}
