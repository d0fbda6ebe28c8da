import AdapterSyntax
import Testing

@Suite("Temporaries")
struct TemporaryTests {
    private func temporaries(_ script: String, entryPoints: Set<String> = []) throws -> [String] {
        try SyntaxTree(script, file: "A-impl.js").temporaries(entryPoints: entryPoints)
    }

    @Test("lists the variables that each function reads only behind an assignment in the same block")
    func found() throws {
        let script = """
            var request;
            function stories() { path = "/feed"; request = { method: "get", path: path }; return call(request); }
            function other() { for (i = 0; i < 3; i++) path = i; return path ? 1 : 2; }
            """
        #expect(try temporaries(script) == ["i", "request"])
        #expect(try temporaries("function a(x) { if (x) { p = 1; return p; } p = 2; return p; }") == ["p"])
        #expect(try temporaries("function a(o) { var n = m = 0; for (k in o) m += o[k]; return m; }") == ["k", "m"])
    }

    @Test(
        "leaves out variables that a function may read before it assigns them",
        arguments: [
            "var u; function set(x) { u = x; } function get() { return u; }",
            "var n = 0; function run() { n++; }", "var u; function run(x) { if (x) u = x; return u; }",
            "function run(x) { if (x) u = 1; else u = 2; return u; }",
            "function run(x) { switch (x) { case 1: u = 1; case 2: return u; } }",
            "function run(x) { for (u in x) {} return u; }", "function run(x) { x && (u = x); return u; }",
            "function run(x) { u = x; return function () { return u; }; }",
            "var u; function run(x) { u = u || x; }", "var f; function run() { f = 1; } function other() { typeof f; }",
            "var u; function S() { u = null; this.who = function () { return u; }; } function set(x) { u = x; }",
            "var n; var m = (function () { n = 0; return { next: function () { return n = n + 1; } }; })();",
            "var u; class T { now = u; } function set(x) { u = x; }",
            "function set(x) { last = x; } function get() { return this.last; }",
            "function set(x) { last = x; } function get() { return this['last']; }",
            "function set(x) { last = x; } function get() { return 'last' in globalThis; }",
            "const c = 1; function run() { c = 2; }", "function f() {} function run() { f = 1; }",
        ])
    func leftOut(script: String) throws {
        #expect(try temporaries(script) == [])
    }

    @Test("leaves out functions that are called by name from outside")
    func named() throws {
        #expect(try temporaries("function run() { handler = function () {}; }", entryPoints: ["handler"]) == [])
    }
}
