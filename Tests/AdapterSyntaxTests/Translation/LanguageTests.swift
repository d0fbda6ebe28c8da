import AdapterSyntax
import Testing

@Suite("Rhino's language")
struct LanguageTests {
    @Test(
        "for each returns values",
        arguments: [
            ("var r = []; for each (var x in [1, 2]) r.push(x); r", "[1,2]"),
            ("var r = [], x; for each (x in { a: 1, b: 'c' }) { r.push(x) } r.concat(x)", "[1,\"c\",\"c\"]"),
            ("var r = 0; for each (var x in null) r = 1; r", "0"),
            ("var r = 0; for each (let x in [1, 2, 3]) { if (x == 2) continue; r += x } r", "4"),
            ("var r = 0; for each (var x in [1, 2, 3]) { if (x == 2) break; r += x } r", "1"),
            ("function f() { for each (var x in [1, 2]) return x } f()", "1"),
            ("var o = { p: 0 }; for each (o.p in [7]) ; o.p", "7"),
            ("var r = ''; for each (var [a, b] in [[1, 2], [3, 4]]) r += a + b; r", "\"37\""),
            ("var r = ''; for each (var { a } in [{ a: 1 }]) r += a; r", "\"1\""),
            ("var r = []; for each (var x in 0, [5]) r.push(x); r", "[5]"),
            ("var r = []; for each\n(var x\nin [1]) r.push(x); r", "[1]"),
            ("var r = []; for each (var x in [[1], [2]]) for each (var y in x) r.push(y); r", "[1,2]"),
            ("function P() {} P.prototype.q = 2; var r = []; for each (var x in new P) r.push(x); r", "[2]"),
            (
                "var r = []; l: for each (var x in [1, 2]) for each (var y in [1, 2]) { if (y == 2) continue l; r.push(x) } r",
                "[1,2]"
            ),
            ("var r = []; for (var [k, v] in { a: 1, b: 2 }) r.push(k + v); r", "[\"a1\",\"b2\"]"),
            ("for each (var x = 7 in null) ; x", "7"), ("for each (var x = 7 in [x + 1, x + 2]) ; x", "9"),
            ("for each (var x = 7 in x = 8, [x]) ; x", "8"), ("for (var [k, v] = [1, 2] in null) ; k + v", "3"),
            ("if (1) for each (var x = (function () 7) in {}) ; x()", "7"),
            ("var i = Iterator([5], true); for (var k = 7 in i) ; k", "0"),
        ])
    func forEach(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "Catches with a condition are tried in order",
        arguments: [
            ("var r; try { throw 1 } catch (e if e == 1) { r = 'one' } catch (e) { r = 'other' } r", "\"one\""),
            ("var r; try { throw 2 } catch (e if e == 1) { r = 'one' } catch (e) { r = 'other' } r", "\"other\""),
            ("var r; try { throw 2 } catch (e if e == 1) { r = 1 } catch (f if f == 2) { r = f } r", "2"),
            (
                "var r; try { throw 3 } catch (e if e == 1) { r = 1 } catch (f if f == 2) { r = 2 } catch (g) { r = g } r",
                "3"
            ),
            (
                "var r; try { try { throw 3 } catch (e if e == 1) { r = 1 } } catch (x) { r = 'out ' + x } r",
                "\"out 3\""
            ),
            ("var r = ''; try { throw 1 } catch (e if e == 1) { r += 'a' } finally { r += 'b' } r", "\"ab\""),
            (
                "var r; try { null.x } catch (e if e instanceof TypeError) { r = 'type' } catch (e if e instanceof RangeError) { r = 'range' } r",
                "\"type\""
            ),
            ("var r; try { throw 1 }\ncatch (e\nif\ne == 1)\n{ r = 5 }\ncatch (e)\n{ r = 6 } r", "5"),
            (
                "var r; try { throw 1 } catch (e if (function () { try { throw 2 } catch (e if e == 2) { return true } })()) { r = e } r",
                "1"
            ),
            ("function f() { try { throw 1 } catch (e if e) { return e } } f()", "1"),
        ])
    func conditionalCatch(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "A function's body may be an expression",
        arguments: [
            ("function f(x) x * x; f(3)", "9"), ("[1, 2].map(function (x) x + 1)", "[2,3]"),
            ("var o = { get a() this.b, b: 2 }; o.a", "2"), ("(function (x) function (y) x + y)(1)(2)", "3"),
            ("var f = function (x)\n  x ? 'y' : 'n'\nf(0)", "\"n\""), ("[function () false, true].length", "2"),
            ("(function () ({ a: 1 }))()", "{\"a\":1}"), ("function f(x) [x, { y: x }]\nf(1)", "[1,{\"y\":1}]"),
            ("var f = function (a) a, g = 2; f(1) + g", "3"), ("(function (s) /a/.test(s))('xax')", "true"),
        ])
    func expressionClosure(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "let has blocks and expressions",
        arguments: [
            ("var x = 1, r; let (x = 2, y = 3) { r = x + y } [x, r]", "[1,5]"),
            ("var x = 1, r; let (x = x + 1) { r = x } [x, r]", "[1,2]"),
            ("var x = 1, y = 2, r; let (x = y, y = x) { r = [x, y] } r", "[2,1]"),
            ("var r; let ([a, b] = [1, 2]) { r = a + b } r", "3"), ("var r = 0; let () { r = 1 } r", "1"),
            ("var r; let (a) { r = typeof a } r", "\"undefined\""), ("var x = 1; let (x = 2) x + 1", "3"),
            ("var x = 5; var r = let (x = x * 2, y = 1) x + y; [x, r]", "[5,11]"),
            ("[let (a = 1) a, let ([b] = [2]) b]", "[1,2]"), ("(let (a, b = 2) typeof a + b)", "\"undefined2\""),
            ("function f() { return let (a = 1) this.k + a } f.call({ k: 2 })", "3"),
            ("let (a = 1) { let (b = a) { r = a + b } }; var r; r", "2"),
            ("let (\n a = 1,\n b = 2\n) {\n var r = a + b }\nr", "3"),
        ])
    func letForms(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "Lists are made from loops",
        arguments: [
            ("[x * x for each (x in [1, 2, 3])]", "[1,4,9]"), ("[k for (k in { a: 1, b: 2 })]", "[\"a\",\"b\"]"),
            ("[x for each (x in [1, 2, 3, 4]) if (x % 2)]", "[1,3]"),
            ("[x + y for each (x in 'a') for each (y in [1, 2])]", "[\"a1\",\"a2\"]"),
            ("[y for each (x in [[1, 2], [3]]) for each (y in x) if (y > 1)]", "[2,3]"),
            ("[a + b for each ([a, b] in [[1, 2]])]", "[3]"),
            ("[[k, v] for ([k, v] in { a: 1 })]", "[[\"a\",1]]"), ("[x for (x of new Set([1]))]", "[1]"),
            ("var x = 9; [x for each (x in [1])]; x", "9"),
            ("[[y for each (y in x)] for each (x in [[1], [2]])]", "[[1],[2]]"),
            ("[\nx\nfor each (x in\n[1])\nif (x)\n]", "[1]"),
            ("(function () [this.k for each (i in [1])]).call({ k: 2 })", "[2]"),
            ("[x for each (x in (y * 2 for each (y in [1, 2])))]", "[2,4]"),
            ("[({ a: x }) for each (x in [1])]", "[{\"a\":1}]"),
            (
                "function sum(g) { var s = 0; for (var x in g) s += x; return s } sum(x * x for each (x in [1, 2, 3]))",
                "14"
            ),
            ("var g = (x for each (x in [1, 2])); [g.next(), g.next()]", "[1,2]"),
        ])
    func comprehensions(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "A function with yield makes an iterator of Rhino's",
        arguments: [
            ("function g() { yield 1; yield 2 } var r = []; for (var x in g()) r.push(x); r", "[1,2]"),
            ("function g(a) { var b = yield a; yield b * 2 } var i = g(1); [i.next(), i.send(5)]", "[1,10]"),
            (
                "function g() { yield 1 } var i = g(), r; i.next(); try { i.next() } catch (e if e === StopIteration) { r = 'end' } r",
                "\"end\""
            ),
            (
                "function g() { yield 1 } var i = g(), r; i.next(); try { i.next() } catch (e if e instanceof StopIteration) { r = 'end' } r",
                "\"end\""
            ),
            (
                "function g() { yield 1 } var i = g(), r; i.close(); try { i.next() } catch (e) { r = e === StopIteration } r",
                "true"
            ),
            ("function g() { for each (var x in arguments) yield x } [x for (x in g(3, 4))]", "[3,4]"),
            ("function g() { yield this.k } g.call({ k: 5 }).next()", "5"),
            (
                "function f(n) { var a = 0, b = 1; while (a < n) { yield a; [a, b] = [b, a + b] } } [x for (x in f(10))]",
                "[0,1,1,2,3,5,8]"
            ),
            ("function g() { yield 1 } var r = []; for (var k in { a: g }) r.push(k); r", "[\"a\"]"),
            ("var r = []; for (var [k, v] in Iterator({ a: 1 })) r.push(k, v); r", "[\"a\",1]"),
            (
                "function g() { try { yield 1 } finally { r.push('f') } } var r = []; for (var x in g()) { r.push(x); break } r",
                "[1,\"f\"]"
            ),
        ])
    func generators(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "A constant keeps its value without a word",
        arguments: [
            ("const a = 1; a = 2; a", "1"), ("const a = 1; var r = (a = 5); [a, r]", "[1,5]"),
            ("const a = 1; var r = a += 5; [a, r]", "[1,6]"),
            ("const a = 1; var r = [a++, ++a, a--, --a]; [a, r]", "[1,[1,2,1,0]]"), ("if (1) { const a = 2 } a", "2"),
            ("function f() { if (1) { const a = 2 } return a } f()", "2"),
            ("function f() { const a = 1; a = 2; return a } f()", "1"),
            ("const a = 4; a *= 2 + 1", "12"), ("const a = 1; (function () { var a = 2; a = 3; return a })()", "3"),
        ])
    func constants(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "String and Array have their methods themselves",
        arguments: [
            ("String.trim('  a ')", "\"a\""),
            ("var r = []; Array.forEach('ab', function (c) { r.push(c) }); r", "[\"a\",\"b\"]"),
            ("Array.map([1, 2], function (x) x * 2)", "[2,4]"), ("String.toUpperCase(12 + 'a')", "\"12A\""),
            ("String.split(1.5, '.')", "[\"1\",\"5\"]"),
            ("(function () { return Array.slice(arguments, 1) })(1, 2)", "[2]"),
            ("Array.isArray(Array.join([1, 2], '-').split('-'))", "true"),
            ("String.replace('aXb', /x/i, '-')", "\"a-b\""), ("Array.indexOf([1, 2], 2)", "1"),
            ("[' a ', 'b '].map(String.trim)", "[\"a\",\"b\"]"),
        ])
    func generics(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "uneval and toSource return JavaScript",
        arguments: [
            ("uneval({ a: 1, 'b c': ['x', null] })", "({a:1, \"b c\":[\"x\", null]})"),
            ("[1, { a: {} }].toSource()", "[1, ({a:{}})]"),
            ("'a'.toSource()", "(new String(\"a\"))"), ("uneval('a\"')", "\"a\\\"\""),
            ("uneval(undefined)", "(void 0)"),
            ("new Date(5).toSource()", "(new Date(5))"), ("/a/g.toSource()", "/a/g"),
        ])
    func toSource(source: String, expected: String) async throws {
        #expect(
            try await translateAndRun("[\(source)]").testDescription
                == "[\"\(expected.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"]")
    }
}
