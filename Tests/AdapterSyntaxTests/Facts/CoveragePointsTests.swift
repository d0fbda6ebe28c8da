import AdapterSyntax
import JavaScriptEngine
import Testing

@Suite("Coverage")
struct CoveragePointsTests {
    /// Runs a script with counters.
    private func run(_ source: String) async throws -> (InstrumentedScript, counts: [Int], Engine.Outcome) {
        let instrumented = InstrumentedScript(try SyntaxTree(source, file: "A.js"))
        let prelude = "var __coverage = new Array(\(instrumented.points.counterCount)).fill(0);"
        let outcome = try await Engine().run(instrumented.source, prelude: prelude)
        let counting = try await Engine().run(
            "try { (0, function () { \(instrumented.source)\n})() } catch (e) {} __coverage", prelude: prelude)
        guard case .value(let json) = counting else { return (instrumented, [], outcome) }
        return (instrumented, json.dropFirst().dropLast().split(separator: ",").compactMap { Int($0) }, outcome)
    }

    @Test("A script with counters can be read, and has its lines in place", arguments: Scripts.good)
    func readable(source: String) async throws {
        let instrumented = InstrumentedScript(try SyntaxTree(source, file: "A.js"))
        #expect(try await Engine().problem(in: instrumented.source) == nil, "\(instrumented.source)")
        #expect(
            instrumented.source.unicodeScalars.count { $0 == "\n" || $0 == "\u{2028}" }
                == source.unicodeScalars.count { $0 == "\n" || $0 == "\u{2028}" })
    }

    @Test(
        "counters do not change a script's results",
        arguments: [
            "var a = 1\nvar b = a\n++b\n[a, b]", "var r = []; if (1) r.push(1)\nelse r.push(2)\nr",
            "var x = 5; do x--\nwhile (x > 2)\nx",
            "function f() { 'use strict'\nreturn this === undefined } f()",
            "function f() { return\n1 } [f() === undefined]", "l: for (var i = 0; ; i++) { if (i > 2) break l } i",
            "var r = []; for (var k in { a: 1 }) r.push(k); r", "var f = x => ({ x }); f(1)",
            "var f = x => y => x + y; f(1)(2)", "var a = 0; a && b; a || 3", "null ?? 4", "var let = 1, a = 2; let\n!a",
            "switch (2) { case 1: case 2: r = 'b'; case 3: r += 'c'; break; default: r = 'd' } var r; r",
            "var g = function* () { yield 1; yield 2 }; [...g()]",
            "class A { constructor() { this.a = 1 } get b() { return this.a } static c() { return 2 } } [new A().b, A.c()]",
            "var o = { f() { return this.x }, x: 3 }; (o.f)()",
            "var o = { f: function () { return this === o } }; (1 && o.f)() ? 1 : 2",
            "f(); function f() { return 1 } f()",
            "var s = 0; for (var i = 0; i < 3; i++) if (i % 2) s += i; else s += 10; s",
            "try { throw 1 } catch (e) { e } finally { }", "var a = 1; { let a = 2 } a",
            "'use strict'; (function () { return this === undefined })()", "if (0) ; else var z = 1; z",
            "with ({ a: 7 }) a", "var f = function () {}, g = () => {}; [f.name, g.name]",
            "var a = 1, b = a ? a > 0 ? 'p' : 'n' : 'z'; b", "if (true) function q() { return 8 }\nq()",
        ])
    func meaning(source: String) async throws {
        let plain = try await Engine().run(source)
        #expect(try await run(source).2 == plain)
    }

    @Test("Lines are counted")
    func lines() async throws {
        let source = """
            var s = 0;
            for (var i = 0; i < 3; i++) {
                s += i;
            }
            if (s > 100)
                s = 0;
            else
                s = 1;
            function never() {
                return 1;
            }
            function once() { return 2; }
            once();
            [1, 2].forEach(function (x) {
                s += x;
            });
            """
        let (instrumented, counts, _) = try await run(source)
        #expect(
            instrumented.points.lines(counts) == [
                1: 1, 2: 1, 3: 3, 5: 1, 6: 0, 8: 1, 10: 0, 12: 1, 13: 1, 14: 1, 15: 2,
            ])
        let functions = instrumented.points.functions.map { "\($0.name ?? "-") \(counts[$0.counter])" }
        #expect(functions == ["never 0", "once 1", "- 2"])
    }

    @Test(
        "Branches are counted",
        arguments: [
            ("if (1) a = 1; else a = 2; var a", "if 1 0"), ("if (0) a = 1; var a", "if 0 1"),
            ("for (var i = 0; i < 3; i++) { if (i) { a = 1 } } var a", "if 2 1"),
            ("var a = 1 ? 2 : 3", "conditional 1 0"), ("0 && x; 1 && 2", "logical 0, logical 1"),
            ("switch (2) { case 1: a = 1; break; case 2: a = 2; case 3: a = 3 } var a", "switch 0 1 1"),
            ("if (1) ; else if (2) ; else ;", "if 1 0, if 0 0"),
        ])
    func branches(source: String, expected: String) async throws {
        let (instrumented, counts, _) = try await run(source)
        let actual = instrumented.points.branches.map { branch in
            ([branch.kind.rawValue] + branch.paths.map { String(instrumented.points.count($0, counts)) }).joined(
                separator: " ")
        }
        #expect(actual.joined(separator: ", ") == expected)
    }

    @Test(
        "the ways of a branch have names and positions",
        arguments: [
            ("if (a) b;\nelse c;", "1:8 if, 2:6 else"), ("var x;\n if (x) { y }", "2:9 if, 2:2 else"),
            ("x = a ? b : c", "1:9 left of :, 1:13 right of :"),
            ("a || b && c; d ?? e", "1:6 right of ||, 1:11 right of &&, 1:19 right of ??"),
            (
                "switch (a) { case 'x': case 1: b; break; case \"a very long text in a case\": c; default: d }",
                #"1:24 case 1, 1:42 case "a very long text i…, 1:80 default"#
            ),
        ])
    func ways(source: String, expected: String) throws {
        let points = InstrumentedScript(try SyntaxTree(source, file: "A.js")).points
        let ways = points.branches.flatMap(\.ways).map { "\($0.start) \($0.name)" }
        #expect(ways.joined(separator: ", ") == expected)
        #expect(points.branches.allSatisfy { $0.ways.count == $0.paths.count })
    }
}
