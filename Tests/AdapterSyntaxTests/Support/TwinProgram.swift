/// A script whose function `run` calls a back end, to be run as it is and by its twin. `get(path)` is declared in each.
struct TwinProgram: CustomStringConvertible {
    let description: String
    let script: String

    init(_ description: String, _ script: String) {
        self.description = description
        self.script = Self.get + script
    }

    /// On the first line, so that the program begins in it.
    private static let get =
        "function get(path) { return WL.Server.invokeHttp({ method: 'get', path: path }).path } "

    static let all = [
        Self("a call", "function run() { return get('a') }"),
        Self(
            "a call in a while loop",
            "function run() { var i = 0, s = ''; while (i < 3) s += get('w' + i++); return s }"),
        Self(
            "calls in all parts of a for loop",
            "function run() { var s = ''; for (var i = get('1'); i < get('3'); i = get(String(+i + 1))) s += i; return s }"
        ),
        Self(
            "a call in the object of for-in",
            "function run() { var s = ''; for (var k in { a: get('x'), b: 1 }) s += k; return s }"),
        Self(
            "a call in the body of for-in",
            "function run() { var s = ''; for (var k in { a: 1, b: 2 }) s += get(k); return s }"),
        Self("a call in do-while", "function run() { var i = 0; do { i++ } while (get('d' + i) !== 'd4'); return i }"),
        Self(
            "a caught failure",
            "function run() { try { WL.Server.invokeHttp({ fail: true, path: 'f' }) } catch (e) { return e.message } }"),
        Self("a failure", "function run() { WL.Server.invokeHttp({ fail: true, path: 'f' }); return 'no' }"),
        Self(
            "finally after a failure",
            "var n = 0; function run() { try { return f() } catch (e) { return [e.message, n] } } function f() { try { WL.Server.invokeHttp({ fail: true, path: 'f' }) } finally { n = get('f') } }"
        ),
        Self(
            "finally that replaces a result", "function run() { try { return get('a') } finally { return get('b') } }"),
        Self(
            "finally with break",
            "function run() { for (;;) { try { return get('a') } finally { break } } return 'after' }"),
        Self("a call in catch", "function run() { try { throw 'x' } catch (e) { return e + get('c') } }"),
        Self(
            "calls in switch",
            "function run() { var s = ''; switch (get('2')) { case get('1'): s += 1; case get('2'): s += 2; case get('3'): s += 3; break; default: s += 4 } return s }"
        ),
        Self("a conditional expression", "function run() { return get('') ? get('a') : get('b') }"),
        Self("and, or", "function run() { return (get('') && get('a')) || get('b') && get('c') }"),
        Self("a comma expression", "function run() { return get('a'), get('b') }"),
        Self("a chain of operators", "function run() { return get('1') + get('2') * get('3') - -get('4') }"),
        Self("arguments of arguments", "function run() { return get(get(get('a') + 'b') + get('c')) }"),
        Self(
            "order of evaluation",
            "function run() { var i = 0; return [i++, get(String(i++)), i++, get(String(i++))].join() }"),
        Self("an object literal", "function run() { return { a: get('a'), b: [get('b'), { c: get('c') }] } }"),
        Self("recursion", "function run() { return f(4) } function f(n) { return n ? get('r' + n) + f(n - 1) : '' }"),
        Self(
            "mutual recursion",
            "function run() { return even(5) } function even(n) { return n === 0 ? get('even') : odd(n - 1) } function odd(n) { return n === 0 ? get('odd') : even(n - 1) }"
        ),
        Self(
            "a labelled continue",
            "function run() { var s = ''; outer: for (var i = 0; i < 3; i++) { for (var j = 0; j < 3; j++) { if (get(String(j)) === '1') continue outer; s += i + ':' + j + ' ' } } return s }"
        ),
        Self("a labelled block", "function run() { a: { if (get('x')) break a; return 'no' } return 'yes' }"),
        Self(
            "no semicolons",
            "function run() {\n  var a = get('a')\n  var b = a\n  get('b')\n  b = b + 1\n  get('c')\n  return b\n}"),
        Self(
            "no semicolon before a call",
            "var f = function (x) { return 'f' + x }\nfunction run() {\n  var a = f\n  get('b')\n  return typeof a\n}"),
        Self(
            "no semicolon before a call of a back end",
            "function run() {\n  var a = 1\n  WL.Server.invokeHttp({ path: 'x' })\n  a\n  WL.Server.invokeHttp({ path: 'y' })\n  return a\n}"
        ),
        Self("return before a new line", "function run() { return\n get('a') }"),
        Self(
            "arguments",
            "function run() { return f('a', 'b') } function f(x) { x = get(x); return arguments[0] + arguments[1] + arguments.length }"
        ),
        Self(
            "arguments assigned",
            "function run() { return f('a', 'b') } function f(x) { arguments[0] = get('z'); return x }"),
        Self(
            "this of a plain call",
            "function run() { return f() } function f() { get('a'); return this === globalThis }"),
        Self(
            "strict this",
            "function run() { return f() } function f() { 'use strict'; get('a'); return this === undefined }"),
        Self(
            "var that hides a function",
            "function run() { return f() } function f() { var get = function (x) { return 'own' + x }; return get('a') + WL.Server.invokeHttp({ path: 'b' }).path }"
        ),
        Self(
            "a parameter that hides a function",
            "function run() { return f(String) } function f(get) { return get('a') + WL.Server.invokeHttp({ path: 'b' }).path }"
        ),
        Self(
            "a caught name that hides a function",
            "function run() { try { throw String } catch (get) { return get('a') + WL.Server.invokeHttp({ path: 'b' }).path } }"
        ),
        Self(
            "a nested function", "function run() { function inner(x) { return get(x) } return inner('a') + get('b') }"),
        Self("a callback", "function run() { return ['a', 'b'].map(get).join() + get('c') }"),
        Self(
            "a closure over variables",
            "function run() { var a = get('a'); return [1, 2].map(function (x) { return a + x }).join() }"),
        Self(
            "a function declared in a block",
            "function run() { if (get('a')) { function f() { return 'f' } } return f() + get('b') }"),
        Self(
            "hoisted variables", "function run() { var t = typeof a; if (get('x')) { var a = get('a') } return t + a }"),
        Self(
            "hoisted functions", "function run() { var s = f(); get('a'); return s; function f() { return 'hoisted' } }"
        ),
        Self(
            "variables of the top level",
            "var count = 0; function run() { get('a'); count++; return f() } function f() { get('b'); return ++count }"),
        Self("a value that is called", "function run() { var g = get; return g('a') + get('b') }"),
        Self("call and apply", "function run() { return get.call(null, 'a') + get.apply(null, ['b']) + get('c') }"),
        Self(
            "a constructor",
            "function Thing() { this.name = WL.Server.invokeHttp({ path: 't' }).path } function run() { return new Thing().name + get('b') }"
        ),
        Self("with", "function run() { var o = { a: 1 }; with (o) { a = get('w') } return o.a + get('b') }"),
        Self(
            "with that hides a function",
            "function run() { var o = { get: function (x) { return 'own' + x } }, r; with (o) { r = get('w') } return r + get('b') }"
        ),
        Self("getters", "function run() { return WL.Server.invokeHttp({ get path() { return get('inner') } }).path }"),
        Self("toString of an argument", "function run() { return get({ toString: function () { return 'text' } }) }"),
        Self("a default of a parameter", "function run(a = get('d')) { return a + get('b') }"),
        Self(
            "patterns",
            "function run() { var [a, b] = [get('a'), get('b')], { c } = { c: get('c') }; return a + b + c }"),
        Self("template", "function run() { return `${get('a')}-${get('b')}` }"),
        Self("spread", "function run() { return Math.max(...[1, get('2')]) + get(...['a']) }"),
        Self("for-of and let", "function run() { let s = ''; for (const x of ['a', get('b')]) s += get(x); return s }"),
        Self(
            "closures in a loop with let",
            "function run() { var f = []; for (let i = 0; i < 3; i++) { get('x'); f.push(function () { return i }) } return f.map(function (g) { return g() }).join() }"
        ),
        Self(
            "unary operators",
            "function run() { return [!get('a'), typeof get('b'), void get('c'), -get('4'), ~get('5')].join() }"),
        Self(
            "assignment operators",
            "function run() { var o = { n: 'x' }; o.n += get('a'); o[get('k')] = get('v'); return JSON.stringify(o) }"),
        Self(
            "the object is evaluated before the call",
            "function run() { var o = { n: 1 }, p = o; o.n = (o = { n: 2 }, get('a')); return p.n + o.n }"),
        Self(
            "a member of the result",
            "function run() { return WL.Server.invokeHttp({ path: 'abc' }).path.length + get('x').toUpperCase() }"),
        Self("no arguments", "function run() { try { return WL.Server.invokeHttp() } catch (e) { return e.name } }"),
        Self(
            "comments in the call",
            "function run() { return WL.Server.invokeHttp /* ( */ // (\n  ({ path: 'c' }).path }"),
        Self("an error's line", "function run() {\n  get('a');\n  var none;\n  return none.member;\n}"),
        Self(
            "an error's line in a function",
            "function run() { return f() }\nfunction f() {\n  get('a');\n\n  return missing;\n}"),
        Self(
            "a caught error's line",
            "function run() {\n  try {\n    get('a');\n    null.x;\n  } catch (e) { return e.line }\n}"),
        Self(
            "throw of a value",
            "function run() { get('a'); throw { code: 5, toString: function () { return 'code' + this.code } } }"),
        Self("a comment at the end", "function run() { return get('a') } // the end"),
        Self("a function's text", "function run() { return f() + f } function f() { return get('a') }"),
        Self(
            "a function's properties",
            "f.limit = 3; function run() { return f() + f.length + f.name } function f(a, b) { return get('a') + f.limit }"
        ),
        Self("delete and in", "function run() { var o = { a: 1 }; delete o[get('a')]; return get('a') in o }"),
        Self("a regular expression with a parenthesis", "function run() { return /\\(/.test(get('(')) + get('/*') }"),
        Self("MFP", "function run() { return MFP.Server.invokeHttp({ path: 'm' }).path }"),
        Self("invokeProcedure", "function run() { return WL.Server.invokeProcedure({ path: 'p' }).path }"),
    ]
}
