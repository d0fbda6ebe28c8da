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
            ("let (a = 1, b) { c }", "{ let a = 1, b; c }"),
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
        let (text, count) = try Fix.applyAll(to: source, file: "A.js")
        #expect(text == expected)
        #expect(count > 0)
        #expect(try await Engine().problem(in: text) == nil)
    }

    @Test(
        "What is not mechanical is left",
        arguments: [
            "let (a = a) { a }", "for each (var x in <a/>) ;", "for each /* why */ (var x in o) ;",
            "function f(Object) { for each (var x in o) ; }", "try {} catch (e if a) {} catch (f) {}",
            "[a for (x in b) for (y in c)]",
            "function g() { yield 1 }", "var x = <a/>", "const a = 1; a = 2", "uneval(1)",
            "var Array = {}; Array.forEach(1)", "String.fromCharCode(1)",
        ])
    func left(source: String) throws {
        let (text, count) = try Fix.applyAll(to: source, file: "A.js")
        #expect(text == source)
        #expect(count == 0)
    }

    @Test("Good scripts have nothing to mend", arguments: Scripts.good)
    func good(source: String) throws {
        #expect(Fix.all(in: try SyntaxTree(source, file: "A.js")).isEmpty)
    }

    @Test("Each fix is told with its place, those of what is nested after those around it")
    func places() throws {
        let mended = try MendedScript(
            "var a;\nfor each (var x in a) {\n  for each (var y in x) f(y);\n}\nf(function (z) z)", file: "A.js")
        #expect(
            mended.fixes.map { "\($0.position) \($0.title)" } == [
                "2:1 write for-of over Object.values", "3:3 write for-of over Object.values",
                "5:3 write the body in braces with return",
            ])
        #expect(try MendedScript("f(1)", file: "A.js").fixes == [])
    }
}
