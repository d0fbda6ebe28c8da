import AdapterSyntax
import JavaScriptEngine
import Testing

@Suite("Scripts that trace their functions")
struct TracingScriptTests {
    private static let prelude = """
        var __log = [];
        var __trace = {
            enter: function (i, a) { __log.push('+' + i + (a ? '(' + [].join.call(a) + ')' : '')) },
            returned: function (v) { __log.push('=' + v); return v }, failed: function (e) { __log.push('!' + e) }, leave: function () { __log.push('-') }
        };
        """

    @Test(
        "A traced script behaves unchanged",
        arguments: [
            "function f() { 'use strict'\nreturn this === undefined } f()",
            "function f() { return\n1 } [f() === undefined]",
            "var f = x => ({ x }); f(1)", "var f = x => { return x + 1 }; f(1)",
            "var g = function* () { yield 1; yield 2 }; [...g()]",
            "class A { constructor() { this.a = 1 } get b() { return this.a } static c() { return 2 } } [new A().b, A.c()]",
            "f(); function f() { return g(); function g() { return 1 } }",
            "function f(a) { arguments[0] = 2; return a } f(1)", "function f(n) { return n ? n * f(n - 1) : 1 } f(5)",
            "function f() { try { throw 1 } finally { return 2 } } f()", "function f() { throw new Error('x') }\nf()",
            "var o = { get a() { return 1 }, set a(v) { this.b = v }, m() { return 3 } }; o.a = 5; [o.a, o.b, o.m()]",
            "function f() { for (var i = 0; i < 3; i++) if (i) return i // comment\n} f()", "function f() {} f()",
            "function f() { return 1, 2 } f()", "function f() { return ({ a: 1 }).a // one\n} f()",
            "var f = function () { return function () { return this === undefined || 7 } }; [f()() === undefined]",
            "function f() { return function* () { return 3 } } f()().next().value",
            "function f() { if (f) { return\n2 } else return 3 } [f() === undefined]",
        ])
    func meaning(source: String) async throws {
        let tracing = TracingScript(try SyntaxTree(source, file: "A.js"))
        let plain = try await Engine().run(source)
        #expect(try await Engine().run(tracing.source, prelude: Self.prelude) == plain, "\(tracing.source)")
    }

    @Test("Functions report when they begin, fail and end, with their arguments")
    func hooks() async throws {
        let source = "function a(x) { b(x, 2) }\nvar b = function () { throw 'no' };\ntry { a(1) } catch (e) {}\n__log"
        let tracing = TracingScript(try SyntaxTree(source, file: "A.js"))
        #expect(
            try await Engine().run(tracing.source, prelude: Self.prelude)
                == .value(#"["+0(1)","+1(1,2)","!no","-","!no","-"]"#))
        #expect(tracing.functions.map(\.name) == ["a", "b"])
        #expect(tracing.functions.map(\.position.description) == ["1:1", "2:9"])
    }

    @Test("Functions report the values that they return")
    func returned() async throws {
        let source =
            "function a() { if (b() > 1) return b(), 5; return }\nfunction b() { var g = () => { return 9 }; return 2 }\na();\n__log"
        let tracing = TracingScript(try SyntaxTree(source, file: "A.js"))
        #expect(
            try await Engine().run(tracing.source, prelude: Self.prelude)
                == .value(#"["+0()","+1()","=2","-","+1()","=2","-","=5","-"]"#))
    }

    @Test("Functions are named after what they are written into")
    func names() throws {
        let source = """
            function a() {} var b = () => {}; var c = (function () {}); d.e = (x) => { y };
            f({ g() {}, h: function () {}, 'i': ((function () {})), get j() {}, [k]: function () {} });
            class L { constructor() {} m() {} static n() {} get o() {} p = () => {} }
            """
        let expected = ["a", "b", "c", "d.e", "g", "h", "i", "j", nil, "constructor", "m", "n", "o", "p"]
        let tree = try SyntaxTree(source, file: "A.js")
        #expect(TracingScript(tree).functions.map(\.name) == expected.map { $0 ?? "(anonymous)" })
        #expect(InstrumentedScript(tree).points.functions.map(\.name) == expected)
        #expect(ScriptFacts(tree).functions.map(\.name) == expected)
    }

    @Test("Whole adapters can be read", arguments: Scripts.adapters)
    func readable(source: String) async throws {
        let tree = try SyntaxTree(try Translation(of: SyntaxTree(source, file: "A.js")).source, file: "A.js")
        let tracing = TracingScript(tree)
        #expect(try await Engine().problem(in: tracing.source) == nil, "\(tracing.source)")
        #expect(tracing.source.count { $0.isNewline } == tree.source.text.count { $0.isNewline })
    }
}
