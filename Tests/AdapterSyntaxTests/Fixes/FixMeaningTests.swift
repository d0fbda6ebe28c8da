import AdapterSyntax
import Testing

@Suite("Meaning that fixes preserve")
struct FixMeaningTests {
    @Test(
        "A loop or list returns the same before and after",
        arguments: [
            ("var r = []; for each (var x in { a: 1, b: 2 }) r.push(x); r", "[1,2]"),
            ("var r = []; for each (var x in null) r.push(x); for each (x in undefined) r.push(x); r", "[]"),
            ("var r = []; for each (var x in 'ab') r.push(x); r", #"["a","b"]"#),
            ("var r = []; for each (var x in 5) r.push(x); r", "[]"),
            ("var r = []; var a = [1, , 3]; for each (var x in a) r.push(x); r", "[1,3]"),
            ("var r = []; for each (x in null || [1]) r.push(x); r", "[1]"),
            ("var o = { a: 1 }, r = []; for (var [k, v] in o) r.push(k + v); r", #"["a1"]"#),
            ("var x = { a: [1, 2] }, r = []; for each (var y in x) for each (var z in y) r.push(z); r", "[1,2]"),
            // Iterators of Rhino's.
            ("function gen() { yield 1; yield 2 } var r = []; for each (var x in gen()) r.push(x); r", "[1,2]"),
            ("function gen() { yield 1; yield 2 } [x for (x in gen())]", "[1,2]"),
            ("var o = { a: 1 }, r = []; for (var [k, v] in Iterator(o)) r.push(k + v); r", #"["a1"]"#),
            ("var r = []; for each (var x in (y * 2 for each (y in [1, 2]))) r.push(x); r", "[2,4]"),
            (
                "var o = {}; o.__iterator__ = function () { return { n: 0, next: function () { return ++this.n } } };"
                    + "var r = []; for each (var x in o) { r.push(x); if (x > 2) break } r", "[1,2,3]"
            ),
            (
                "var o = { '__iterator__': function () { return { n: 0, next: function () { return ++this.n } } } };"
                    + "var r = []; for (var k in o) { r.push(k); if (k > 2) break } r", "[1,2,3]"
            ),
            // The loop sees what it changes.
            ("var o = { a: 1, b: 2 }, r = []; for each (var x in o) { r.push(x); delete o.b } r", "[1]"),
            ("var o = { a: 1, b: 2 }, r = []; for each (var x in o) { r.push(x); o.b = 7 } r", "[1,7]"),
            ("var o = [1, 2], r = []; for each (var x in o) { r.push(x); o[1] += 7 } r", "[1,9]"),
            ("var o = [1, 2], r = []; for each (var x in o) { r.push(x); o.pop() } r", "[1]"),
            ("var o = { a: 1, b: 2 }, r = []; for (var [k, v] in o) { r.push(v); o.b++ } r", "[1,3]"),
            // XML.
            (
                "function f(list) { var r = []; for each (var x in list) r.push(String(x)); return r }"
                    + "f(<a><b>1</b><b>2</b></a>.b)", #"["1","2"]"#
            ),
            ("function f(list) [String(x) for each (x in list)]\nf(<a><b>1</b><b>2</b></a>.b)", #"["1","2"]"#),
            // Lists.
            ("var s = {}; [(s[x] = 1, x) for each (x in [1, 1, 2]) if (!s[x])]", "[1,2]"),
            ("var n = 0; [n for each (x in [1, 2, 3]) if (n++ != 1)]", "[1,3]"),
            ("var r = []; [r.push('b') for each (x in [1, 2]) if (r.push('c'))]; r", #"["c","b","c","b"]"#),
            ("[[x, { x: x }] for each (x in [1, 2]) if (x > 1)]", #"[[2,{"x":2}]]"#),
            ("function f(x) x > 1; [x for each (x in [1, 2]) if (f(x))]", "[2]"),
            ("function f(x) x > 1; [[x] for each (x in [1, 2]) if (f(x), x)]", "[[1],[2]]"),
            ("[x for (x of ([0], [1, 2]))]", "[1,2]"), ("[x for (x of [0], [1, 2])]", "[1,2]"),
            ("[x for each (x in [0], [1, 2])]", "[1,2]"), ("[{ x } for each (x in [1])]", #"[{"x":1}]"#),
            ("[x ? 1 : 2 for each (x in [0, 1]) if (x ? false : true)]", "[2]"),
            ("var x = { list: [1] }; [x for each (x in x.list)]", "[1]"),
            ("function f() [arguments[0] + x for each (x in [1])]\nf(2)", "[3]"),
            ("function* g() { var a = [yield x for each (x in [1])]; } 1", nil),
            // Names of the script's own.
            (
                "Object.values = function (o) { return ['own'] }; var r = []; for each (var x in [1]) r.push(x); r",
                "[1]"
            ),
            ("Array.from = function () { return ['own'] }; [x for (x of [1])]", "[1]"),
            ("function f(Array) [x for (x of [1])]\nf()", "[1]"),
            ("Object = { values: 1 }; var r = []; for each (var x in [1]) r.push(x); r", "[1]"),
        ])
    func loops(source: String, value: String?) async throws { try await compare(source, value) }

    @Test(
        "Statements, functions and calls return the same before and after",
        arguments: [
            ("var r; try { throw 1 } catch (e if e == 1) { r = 'a' } catch (e) { r = 'b' } r", #""a""#),
            ("var r; try { throw 2 } catch (e if e == 1) { r = 'a' } catch (e) { r = 'b' } r", #""b""#),
            ("var r; try { try { throw 2 } catch (e if e == 1) { r = 'a' } } catch (f) { r = f } r", "2"),
            ("var r; try { throw 3 } catch (e if e == 1) {} catch (e if e == 3) { let e = 4; r = e } r", "4"),
            ("var r; if (1) try { throw 1 } catch (e if e) { if (0) r = 1 } finally { r = r || 2 } else r = 3; r", "2"),
            ("function f(x) x * 2; f(2)", "4"), ("var f = function (x) ({ x: x }), n = 1; f(n)", #"{"x":1}"#),
            ("({ get a() 1 }).a", "1"), ("var f = function (x) x\nvar y = 1; f(y)", "1"),
            ("var r; let (x = 1, y = 2) { r = x + y } r", "3"),
            ("var r, x = 5; let (x = 1) { r = x } r + x", "6"), ("var r; let (a) { r = a === undefined } r", "true"),
            ("var r; let (q = 1) { let q = 3; r = q } r", "3"), ("var r; let (q = 1) { const q = 3; r = q } r", "3"),
            ("var r; let (q = 1) { class q {} r = typeof q } r", #""function""#),
            ("var r; let (q = 1) { function q() {} r = typeof q } r", #""function""#),
            ("var y = 1, r; let (x = y) { let y = 2; r = x + y } r", "3"),
            ("var y = 1, r; let (x = function () y) { let y = 2; r = x() + y } r", "3"),
            ("var y = 1, r; let ([x = y] = []) { let y = 2; r = x + y } r", "3"),
            ("var x = 1, r; let (x = x + 1) { r = x } r + x", "3"),
            ("var o = { x: 4 }, r; let (x = o.x) { r = x } r", "4"),
            ("var r = []; for (var i = 0; i < 2; i++) let (a) { r.push(a); a = i } r.length", "2"),
            ("var r; let (x = /[)]/.test(')'), y = /'/.source) { r = [x, y] } r", #"[true,"'"]"#),
            ("var r; let (x = 1)\n{ r = x } r", "1"),
            ("String.trim(' a ') + String.toUpperCase('b')", #""aB""#), ("String.trim(5)", #""5""#),
            ("String.replace('aa', /a/g, 'b')", #""bb""#), ("Array.map('ab', function (x) x + x)", #"["aa","bb"]"#),
            ("String.trim = s => '<' + s + '>'; String.trim(' x ')", #""< x >""#),
            ("String['trim'] = s => '<' + s + '>'; String.trim(' x ')", #""< x >""#),
            ("var n = 'trim'; String[n] = s => '<' + s + '>'; String.trim(' x ')", #""< x >""#),
            ("Object.defineProperty(String, 'trim', { value: s => '<' + s + '>' }); String.trim(' x ')", #""< x >""#),
            ("Object.assign(String, { trim: s => '<' + s + '>' }); String.trim(' x ')", #""< x >""#),
            ("Array.map ||= 1; Array.map([1], x => x)", "[1]"),
            ("Array = { map: () => 'own' }; Array.map([1], x => x)", #""own""#),
        ])
    func statements(source: String, value: String?) async throws { try await compare(source, value) }

    /// - Parameter value: the script's value; `nil` for one that does not load.
    private func compare(_ source: String, _ value: String?) async throws {
        let mended = try FixedSource(source, file: "A.js").source
        guard let value else {
            #expect(throws: TranslationError.self) { try translation(source) }
            return #expect(mended == source)
        }
        #expect(try await translateAndRun(source) == .value(value))
        #expect(try await translateAndRun(mended) == .value(value), "\(mended)")
    }
}
