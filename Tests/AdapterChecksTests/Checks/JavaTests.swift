import AdapterChecks
import Testing
import WorklightProject

@Suite("Java behind a name")
struct JavaTests {
    @Test(
        "Java is found behind a variable, a property and an import",
        arguments: [
            ("var Store = com.acme.Store; function run() { return Store.get(1); }", "calling com.acme.Store.get fails"),
            (
                "var A = { Api: com.x.Api }; var api = new A.Api(); function run() { return api; }",
                "calling com.x.Api fails"
            ),
            (
                "var P = com.acme; var Store = P.Store; function run() { return new Store(); }",
                "calling com.acme.Store fails"
            ),
            (
                "function run() { var Store = Packages.acme.Store; return Store.get(1); }",
                "calling acme.Store.get fails"
            ),
            (
                "importPackage(java.util); function run() { return new HashMap(); } // lamplighter:allow rhino-only",
                "calling java.util.HashMap fails"
            ),
            (
                "importClass(java.util.HashMap); function run() { return new HashMap(); } // lamplighter:allow rhino-only",
                "calling java.util.HashMap fails"
            ),
        ])
    func found(source: String, message: String) async throws {
        let checked = try await Checked(source)
        #expect(checked.problems.compactMap(\.id) == ["java-class"])
        #expect(try checked.only(.javaClass).message.hasPrefix(message))
    }

    @Test(
        "Names that only resemble Java's, and supported ones, are not reported",
        arguments: [
            "var Store = com.acme.Store; function run(Store) { return Store.get(1); }",
            "var Store = com.acme.Store; function run(x) { function in_(Store) { return Store.get(x); } return in_(x); }",
            "var Store = typeof com === 'undefined' ? null : com.acme.Store; function run() { return Store; }",
            "var A = { Api: com.x.Api, get: function () {} }; function run() { return A.get(); }",
            "var out = java.lang.System.out; function run() { out.println(1); }",
            "var C = com.worklight.server.integration.api.JSObjectConverter; function run(x) { return C.toFormattedString(x); }",
            "importPackage(java.util); function run() { return new Date(); } // lamplighter:allow rhino-only",
            "importPackage(java.util); function Item() {} function run() { return new Item(); } // lamplighter:allow rhino-only",
        ])
    func harmless(source: String) async throws {
        #expect(try await Checked(source).problems == [])
    }

    @Test(
        "JavaAdapter, and the classes of JavaImporter's packages, are found at their position",
        arguments: [
            (
                "function run() {\n    return new JavaAdapter(java.lang.Runnable, {});\n}", "2:16 java-class",
                "a JavaScript object with these"
            ),
            (
                "function run() {\n    with (new JavaImporter(java.util)) { // lamplighter:allow rhino-only\n    return new ArrayList(); }\n}",
                "3:12 java-class", "calling java.util.ArrayList fails"
            ),
            (
                "function run() {\n    with (JavaImporter(java.io, java.util.UUID)) { // lamplighter:allow rhino-only\n    return UUID.randomUUID(); }\n}",
                "3:12 java-class", "calling java.util.UUID.randomUUID fails"
            ),
        ])
    func importer(source: String, place: String, message: String) async throws {
        let checked = try await Checked(source)
        #expect(checked.places == [place])
        #expect(try checked.only(.javaClass).message.contains(message))
    }

    @Test("JavaImporter itself is reported as Rhino-only syntax")
    func importerItself() async throws {
        let checked = try await Checked("function run() { with (new JavaImporter(java.util)) return 1; }")
        #expect(checked.places == ["1:28 rhino-only"])
    }

    @Test("A class is of the imported package that has it")
    func home() async throws {
        let checked = try await Checked(
            "importPackage(java.io); // lamplighter:allow rhino-only\nimportPackage(java.util); // lamplighter:allow rhino-only\nfunction run() { return new HashMap(); }"
        )
        #expect(try checked.only(.javaClass).message.hasPrefix("calling java.util.HashMap fails"))
    }

    @Test(
        "Java's methods on strings and on a response's headers are found with their replacement",
        arguments: [
            ("return 'abc'.length()", "write length, without the parentheses"),
            ("var s = 'a' + x; return s.contains('b')", "write text.includes(part)"),
            ("var s = String(x).trim(); return s.isEmpty()", "write text.length === 0"),
            ("var h = WL.Server.getClientRequest().getHeader('A'); return h.length()", "without the parentheses"),
            ("var q = WL.Server.getClientRequest(); return q.getParameter('A').isEmpty()", "text.length === 0"),
            ("var r = WL.Server.invokeHttp(x); return r.responseHeaders.get('A')", "write headers[name]"),
            (
                "var h = WL.Server.invokeHttp({ method: 'get', path: '/' }).responseHeaders; return h.containsKey('A')",
                "name in headers"
            ),
            ("var r = WL.Server.invokeHttp(x), h = r.responseHeaders; return h.contains('A')", "Object.values"),
            ("var r = WL.Server.invokeHttp(x); return r.responseHeaders['A'].contains('b')", "text.includes"),
            ("return (x ? 'a' : 'b').length()", "without"), ("return JSON.stringify(x).length()", "without"),
        ])
    func methods(body: String, mend: String) async throws {
        let checked = try await Checked("function run(x) { \(body); }", connectivity: Checked.http)
        #expect(checked.problems.compactMap(\.id) == ["java-method"])
        #expect(try checked.only(.javaMethod).message.contains(mend))
    }

    @Test(
        "Values of an uncertain type, and the script's own methods, are ignored",
        arguments: [
            "return x.length()", "var s = 'a'; s = x; return s.length()", "var s = 'a'; return s.length",
            "function f(s) { return s.length(); } var s = 'a'; return f(s)",
            "String.prototype.contains = function () { return 1; }; return 'a'.contains('b')",
            "Object.defineProperty(String.prototype, 'contains', { value: x }); return 'a'.contains('b')",
            "var s = 'a'; if (s.contains) return s.contains('b')", "return x.responseHeaders.get('A')",
            "var s = 'a'; for (s in x) { s = 'b'; } return s.isEmpty()",
            "var r = WL.Server.invokeHttp(x); r = x; return r.responseHeaders.get('A')",
            "var l = ['a']; return l.contains('a')", "var s = 'a', o = { s: x }; return o.s.length()",
            "try { x(); } catch (s) { return s.length(); } var s = 'a'; return s",
            "var [s] = x; s = 'a'; return s.length()", "return 'a'.equals(x) || 'a'.concat('b').equalsIgnoreCase('c')",
            "return WL.Server.invokeHttp(x).responseHeaders.hasOwnProperty('A')",
        ])
    func noMethods(body: String) async throws {
        #expect(try await Checked("function run(x) { \(body); }", connectivity: Checked.http).places == [])
    }
}
