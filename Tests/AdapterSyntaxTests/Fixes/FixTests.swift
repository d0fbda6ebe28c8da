import AdapterSyntax
import Testing

@Suite("Fixes")
struct FixTests {
    @Test(
        "What is mechanical is mended",
        arguments: [
            ("for each (var x in o) f(x)", "for (var x of Object.values(o ?? {})) f(x)"),
            (
                "for each (x in a.b) for each (let y in x) ;",
                "for (x of Object.values(a.b ?? {})) for (let y of Object.values(x ?? {})) ;"
            ),
            ("for (var [k, v] in o) ;", "for (var [k, v] of Object.entries(o ?? {})) ;"),
            ("for each (x in a || b) f(x)", "for (x of Object.values((a || b) ?? {})) f(x)"),
            ("for each (x in [1, 2]) f(x)", "for (x of Object.values([1, 2])) f(x)"),
            ("try { a } catch (e if b) { c }", "try { a } catch (e) { if (b) { c } else { throw e; } }"),
            (
                "try { a } catch (e if b) { c } catch (e if d) { f } catch (e) { g }",
                "try { a } catch (e) { if (b) { c } else if (d) { f } else { g } }"
            ),
            ("f(function (x) x * x, 1)", "f(function (x) { return x * x; }, 1)"),
            (
                "function (x) x".replacing("function (", with: "var f = function ("),
                "var f = function (x) { return x; }"
            ),
            ("(function (x) function (y) x + y)", "(function (x) { return function (y) { return x + y; }; })"),
            (
                "try { a } catch (e if b /* c */) /* d */ { f } /* g */ catch (e) { h }",
                "try { a } catch (e) { if (b /* c */) /* d */ { f } /* g */ else { h } }"
            ),
            ("for /* why */ each (var x in a.b) x.c = 1", "for /* why */ (var x of Object.values(a.b ?? {})) x.c = 1"),
            (
                "for each (var x in a.list) { a.sum += x; x.push(1) }",
                "for (var x of Object.values(a.list ?? {})) { a.sum += x; x.push(1) }"
            ),
            ("String.trim(s)", "String(s).trim()"),
            ("String.replace(s, 'a', 'b')", "String(s).replace('a', 'b')"),
            ("Array.forEach(arguments, f)", "Array.prototype.forEach.call(arguments, f)"),
        ])
    func mended(source: String, expected: String) async throws {
        let fixed = try FixedSource(source, file: "A.js")
        #expect(fixed.source == expected)
        #expect(!fixed.fixes.isEmpty)
        #expect(try await Engine().problem(in: fixed.source) == nil)
    }

    @Test(
        "What is not mechanical is left",
        arguments: [
            "let (a = 1) { a }", "[x for each (x in a)]", "for each (var x in <a/>) ;", "for each (var x = 0 in o) ;",
            // Comments that would be lost.
            "for each /* why */ (var x in o) ;", "try { a } catch /* b */ (e if c) { d }",
            "try { a } catch (e /* b */ if c) { d }", "try { a } catch (e if b) { c } catch (e) /* d */ { f }",
            "try { a } catch (e if b) { c } catch (e) // d\n{ f }", "String./* a */trim(b)", "String.trim(/* a */ b)",
            "String.trim(a /* b */)", "String.trim(a, /* b */ c)", "Array./* a */map(b, c)",
            // What the script has of its own.
            "String.trim = a; String.trim(b)", "Array['map'] ||= a; Array.map(b)", "(String).trim = a; String.trim(b)",
            "String.prototype.trim = a; String.trim(b)", "Object.assign(Array.prototype, a); Array.map(b)",
            "String = a; String.trim(b)", "Object.values = a; for each (var x in b) ;",
            // Iterators, and what the loop changes.
            "for each (var x in a) ; StopIteration", "for each (var x in a) ; a.__iterator__ = b",
            "for each (var x in a.b) delete a.b[c]", "for each (var x in (a)) { (a).b = 1 }",
            "String.trim(...a)",
            "function f(Object) { for each (var x in o) ; }", "try {} catch (e if a) {} catch (f) {}",
            "function g() { yield 1 }", "var x = <a/>", "const a = 1; a = 2", "uneval(1)",
            "var Array = {}; Array.forEach(1)", "String.fromCharCode(1)",
        ])
    func left(source: String) throws {
        let fixed = try FixedSource(source, file: "A.js")
        #expect(fixed.source == source)
        #expect(fixed.fixes.isEmpty)
    }

    @Test(
        "What a script puts in the place of Rhino's is not Rhino's",
        arguments: [
            "String.trim = a; String.trim(b)", "Array = a; Array.map(b)", "Object.assign(String, a); String.trim(b)",
        ])
    func own(source: String) throws {
        #expect(Translation.findings(in: try SyntaxTree(source, file: "A.js")).isEmpty)
    }

    @Test("Good scripts have nothing to mend", arguments: Scripts.good)
    func good(source: String) throws {
        #expect(Fix.all(in: try SyntaxTree(source, file: "A.js")).isEmpty)
    }

    @Test("Each fix is told with its place, those of what is nested after those around it")
    func places() throws {
        let mended = try FixedSource(
            "var a;\nfor each (var x in a) {\n  for each (var y in x) f(y);\n}\nf(function (z) z)", file: "A.js")
        #expect(
            mended.fixes.map { "\($0.position) \($0.title)" } == [
                "2:1 write for-of over Object.values", "3:3 write for-of over Object.values",
                "5:3 write the body in braces with return",
            ])
        #expect(try FixedSource("f(1)", file: "A.js").fixes == [])
    }
}
