import JavaScriptEngine
import Testing

@Suite("Syntax check")
struct SyntaxCheckTests {
    private func error(_ source: String) async throws -> ScriptSyntaxError? {
        let bench = try await Bench()
        return try await bench.run { context in
            do {
                try context.check(source, file: "A-impl.js")
                return nil
            } catch let error as ScriptSyntaxError {
                return error
            }
        }
    }

    @Test(
        "A syntax error is reported with line and column",
        arguments: [
            ("function f() { return 1 +; }", 1, 26),
            ("var a = 1;\n\n  var b = foo bar;\n", 3, 15),
            ("if (1) {\n", 2, 1),
            ("var s = 'abc", 1, 9),
            ("var x = { a: 1, b };;\nvar 1x;", 2, 5),
            ("var a = 1;\r\n\r\n  var b = foo bar;\r\n", 3, 15),
            ("var a = 1;\r  var b = foo bar;", 2, 15),
            ("var a = 1;\u{2028}var 1x;", 2, 5),
            ("var a = '😀'; var 1x;", 1, 19),
        ])
    func place(source: String, line: Int, column: Int) async throws {
        let error = try #require(try await error(source))
        #expect(error.location.line == line)
        #expect(error.location.column == column)
    }

    @Test("The message is the engine's and names the file")
    func message() async throws {
        let error = try #require(try await error("function f( { return 1 +; }"))
        #expect(error.description.hasPrefix("A-impl.js:1:"))
        #expect(error.message.hasPrefix("SyntaxError: "))
    }

    @Test("A good script passes")
    func goodScript() async throws {
        #expect(try await error("function f(a) { return a + 1; }") == nil)
    }

    @Test(
        "async as a keyword is refused, with its position",
        arguments: [
            "async function f() {}", "var f = async () => 1", "var f = async x => x", "var o = { async f() {} }",
            "class A { static async f() {} }", "var f = async function* () {}",
        ])
    func asyncKeyword(source: String) async throws {
        let error = try #require(try await error("var a = 'async';\n" + source))
        #expect(error.location.line == 2)
        #expect(error.location.column == source.ranges(of: "async")[0].lowerBound.utf16Offset(in: source) + 1)
        #expect(error.message.hasPrefix("async functions are not available"))
    }

    @Test(
        "async as a name, in a string or in a comment is not a keyword",
        arguments: [
            "$ajax({ async: true })", "var async = 1; async + 1", "// async function f() {}", "'async () => 1'",
            "async(1, 2)", "async: for (;;) { break async; }", "/async function/.test(x)", "var asyncResult = async",
        ])
    func asyncName(source: String) async throws {
        #expect(try await error(source) == nil)
    }
}
