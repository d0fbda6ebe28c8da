import AdapterSyntax
import Testing

@Suite("Fixes")
struct FixTests {
    @Test(
        "Mechanical replacements are fixed",
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
            ("let (a = 1, b) { c }", "{ let a = 1, b; c }"),
            (
                "let (a = x.a /* one */, /* two */ b) { /* three */ c }",
                "{ let a = x.a /* one */, /* two */ b; /* three */ c }"
            ),
            (
                "try { a } catch (e if b /* c */) /* d */ { f } /* g */ catch (e) { h }",
                "try { a } catch (e) { if (b /* c */) /* d */ { f } /* g */ else { h } }"
            ),
            ("for /* why */ each (var x in a.b) x.c = 1", "for /* why */ (var x of Object.values(a.b ?? {})) x.c = 1"),
            (
                "for each (var x in a.list) { a.sum += x; x.push(1) }",
                "for (var x of Object.values(a.list ?? {})) { a.sum += x; x.push(1) }"
            ),
            ("[x.y for each (x in a) if (f(x))]", "Object.values(a ?? {}).flatMap((x) => f(x) ? [x.y] : [])"),
            (
                "[x.y for each (x in a) if (f(x), g)]",
                "Object.values(a ?? {}).flatMap((x) => (f(x), g) ? [x.y] : [])"
            ),
            ("[x /* a */ + 1 for each (x in b)]", "Object.values(b ?? {}).map((x) => x /* a */ + 1)"),
            ("[x * 2 for each (x in a)]", "Object.values(a ?? {}).map((x) => x * 2)"),
            ("[x for each (x in a) if (x > 1)]", "Object.values(a ?? {}).filter((x) => x > 1)"),
            ("[k + 1 for (k in a) if (k)]", "Object.keys(a ?? {}).filter((k) => k).map((k) => k + 1)"),
            ("[{ a: x } for (x of a)]", "Array.from(a).map((x) => ({ a: x }))"), ("String.trim(s)", "String(s).trim()"),
            ("String.replace(s, 'a', 'b')", "String(s).replace('a', 'b')"),
            ("Array.forEach(arguments, f)", "Array.prototype.forEach.call(arguments, f)"),
            (
                "String.trim([x for each (x in String.split(s, ','))])",
                "String(Object.values(String(s).split(',') ?? {}).map((x) => x)).trim()"
            ),
        ])
    func mended(source: String, expected: String) async throws {
        let fixed = try FixedSource(source, file: "A.js")
        #expect(fixed.source == expected)
        #expect(!fixed.fixes.isEmpty)
        #expect(try await Engine().problem(in: fixed.source) == nil)
    }

    @Test(
        "Other constructs are left",
        arguments: [
            "let (a = a) { a }", "for each (var x in <a/>) ;", "for each (var x = 0 in o) ;",
            // Comments that would be lost.
            "for each /* why */ (var x in o) ;", "try { a } catch /* b */ (e if c) { d }",
            "try { a } catch (e /* b */ if c) { d }", "try { a } catch (e if b) { c } catch (e) /* d */ { f }",
            "try { a } catch (e if b) { c } catch (e) // d\n{ f }", "let /* a */ (b) { c }", "let (a /* b */) { c }",
            "let (a = 1) /* b */ { c }", "[/* a */ x for each (x in b)]", "[x /* a */ for each (x in b)]",
            "[x for /* a */ each (x in b)]", "[x for each (x /* a */ in b)]", "[x for each (x in b /* c */)]",
            "[x for each (x in b) /* c */ if (d)]", "[x for each (x in b) if (/* c */ d)]",
            "[x for each (x in b) if (c) // d\n]", "String./* a */trim(b)", "String.trim(/* a */ b)",
            "String.trim(a /* b */)", "String.trim(a, /* b */ c)", "Array./* a */map(b, c)",
            // Names that the script itself defines.
            "String.trim = a; String.trim(b)", "Array['map'] ||= a; Array.map(b)", "(String).trim = a; String.trim(b)",
            "String.prototype.trim = a; String.trim(b)", "Object.assign(Array.prototype, a); Array.map(b)",
            "String = a; String.trim(b)", "Object.values = a; for each (var x in b) ;",
            // Iterators, and what the loop changes.
            "for each (var x in a) ; StopIteration", "for each (var x in a) ; a.__iterator__ = b",
            "for each (var x in a.b) delete a.b[c]", "for each (var x in (a)) { (a).b = 1 }",
            "[a.pop() for each (x in a)]",
            // Names whose meaning differs inside and outside of the block.
            "let (a = b) { let b }", "let (a = b) { var [b] = c }", "let (a = b) { if (c) { function b() {} } }",
            "let (a) { class a {} }", "let ([a = b], b) { c }", "String.trim(...a)",
            "function f(Object) { for each (var x in o) ; }", "try {} catch (e if a) {} catch (f) {}",
            "[a for (x in b) for (y in c)]",
            "function g() { yield 1 }", "var x = <a/>", "const a = 1; a = 2", "uneval(1)",
            "var Array = {}; Array.forEach(1)", "String.fromCharCode(1)",
        ])
    func left(source: String) throws {
        let fixed = try FixedSource(source, file: "A.js")
        #expect(fixed.source == source)
        #expect(fixed.fixes.isEmpty)
    }

    @Test(
        "A script's own replacement of Rhino's function is not Rhino's",
        arguments: [
            "String.trim = a; String.trim(b)", "Array = a; Array.map(b)", "Object.assign(String, a); String.trim(b)",
        ])
    func own(source: String) throws {
        #expect(Translation.findings(in: try SyntaxTree(source, file: "A.js")).isEmpty)
    }

    @Test("Good scripts need no fixes", arguments: Scripts.good)
    func good(source: String) throws {
        #expect(Fix.all(in: try SyntaxTree(source, file: "A.js")).isEmpty)
    }

    @Test("Each fix is reported with its position, nested ones after those around them")
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
