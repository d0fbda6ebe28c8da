import AdapterSyntax
import Testing

/// The behaviour of scripts of 2010 where two constructs meet, with the values that Rhino 1.7 returned.
@Suite("Awkward scripts")
struct AwkwardTests {
    private static let order = """
        var o = <order id="7"><item n="1"><name>pen</name><price>2</price></item>\
        <item n="2"><name>ink</name><price>30</price></item><item><name>cap</name></item></order>;

        """

    @Test(
        "translates loops with labels and jumps",
        arguments: [
            (
                "var r = []; out: for each (var x in [1, 2]) { for each (var y in [1, 2]) { if (y == 2) continue out; r.push(x + y) } } r",
                "[2,3]"
            ),
            ("var r = []; a: for each (var x in [1, 2]) { r.push(x); break a } r", "[1]"),
            ("var r = []; for each (var x in [0, 1]) if (x) r.push('y'); else r.push('n'); r", #"["n","y"]"#),
            ("var r = 0; if (0) for each (var x in [1]) r = 1; else r = 2; r", "2"),
            ("var x = 0; do x++; while (x < 3) for each (var y in [1]) x += y; x", "4"),
            (
                "var r = []; for each (var x in [1, 2, 3]) { switch (x) { case 2: continue; default: r.push(x) } } r",
                "[1,3]"
            ),
            ("var r = []; with ({ l: [1, 2] }) for each (var x in l) r.push(x); r", "[1,2]"),
            ("var r = []; for each (var x in { __proto__: { a: 1 } }) r.push(x); r", "[1]"),
            ("var f = []; for each (var x in [1, 2]) f.push(function () x); [f[0](), f[1]()]", "[2,2]"),
            (
                "var r = [], l = [1]; for each (var x in l) { if (l.length < 3) l.push(x + 1); r.push(x) } r.length > 0",
                "true"
            ),
            ("var r = []; for each (var i in 'ab') r.push(i); r", #"["a","b"]"#),
            ("var r = []; for each (var i in arguments_(1, 2)) r.push(i); function arguments_() arguments; r", "[1,2]"),
        ])
    func loops(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "translates nested conditional catches with finally",
        arguments: [
            (
                "var r = []; try { try { throw { c: 3 } } catch (e if e.c == 1) { r.push(1) } finally { r.push('f') } } catch (e if e.c == 3) { r.push(3) } finally { r.push('g') } r",
                #"["f",3,"g"]"#
            ),
            ("function f() { try { throw 1 } catch (e if e == 2) { return 'a' } finally { return 'b' } } f()", #""b""#),
            ("function f() { try { throw 1 } catch (e if e == 1) { return 'a' } finally { var x } } f()", #""a""#),
            (
                "var r; try { try { throw 1 } catch (e if nothing.x) {} } catch (e) { r = e instanceof ReferenceError } r",
                "true"
            ),
            ("var e = 5; try { throw 1 } catch (e if e == 1) { e = 2 } e", "5"),
            (
                "var r = []; for each (var x in [1, 2]) { try { throw x } catch (e if e == 1) { continue } catch (e) { r.push(e) } finally { r.push('f') } } r",
                #"["f",2,"f"]"#
            ),
            ("var r; try { try { throw 7 } catch (e if false) {} catch (e if e < 5) {} } catch (x) { r = x } r", "7"),
            ("var r; try { throw { a: 1 } } catch (e if 'a' in e) { var r = e.a } r", "1"),
            ("var r; try { throw 1 } catch (e if (function () e == 1)()) { r = 1 } r", "1"),
        ])
    func catches(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "translates expression closures at unusual positions",
        arguments: [
            ("({ get a() 1 }).a", "1"), ("var o = { set a(v) this.b = v }; o.a = 3; o.b", "3"),
            ("var o = { get a() this.b, set a(v) this.b = v, b: 0 }; o.a = 2; o.a", "2"),
            ("(function (n) n < 2 ? 1 : n * arguments.callee(n - 1))(4)", "24"),
            ("(function () ({ a: 1 }))().a", "1"), ("(function () [1, 2])()", "[1,2]"),
            ("(function () /a/.test('a'))()", "true"),
            ("var f = function () function () 5; f()()", "5"), ("function f() 1\nfunction g() 2;\n[f(), g()]", "[1,2]"),
            ("var f = function () 1\nvar g = 2; f() + g", "3"), ("var a = [function () 1, function () 2]; a[1]()", "2"),
            ("(function () <a>1</a>)().toString()", #""1""#), ("[3, 1, 2].sort(function (a, b) a - b)", "[1,2,3]"),
            ("var o = {}; o.__defineGetter__('a', function () 4); o.a", "4"),
            ("(function (a) a in { b: 1 })('b')", "true"), ("(function () -1)()", "-1"),
            ("(function () typeof 1)()", #""number""#),
            ("(function () new Date(5))().getTime()", "5"), ("!function () false()", "false"),
        ])
    func closures(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "reads a slash or less-than sign as Rhino does",
        arguments: [
            ("for each (var x in []) {} /a/.test('a')", "true"),
            ("function f() {} /a/.test('b') || f; for each (var x in [1]); x == 1", "true"),
            ("var x = function () { return 6 } () / 2 / 1; for each (var y in []); x", "3"),
            ("var x = { a: 8 }.a / 2 / 2; for each (var y in []); x", "2"),
            ("var i = 4; var r = i++ / 2; for each (var y in []); r", "2"),
            ("if (1) /a/.test('a'); for each (var y in []); (4) / 2 / 1", "2"),
            ("for each (var y in [8]) y = y / 2 / 2; y", "2"),
            ("var r = []; for each (var s in ['a/b']) r.push(s.split(/\\//).length / 2); r", "[1]"),
            ("switch (true) { case /a/.test('a'): var r = 1 } for each (var y in []); r", "1"),
            (
                "var a = 1, b = 2, c = 3; var r = a <b; for each (var y in []); [r, a<b, (a)<b, b <c]",
                "[true,true,true,true]"
            ),
            ("var l = [1]; var r = l[0]<2; for each (var y in []); r", "true"),
            ("function f() { return <a/> } f().name().toString()", #""a""#),
            ("function f() { return\n<a/> } typeof f()", #""undefined""#),
            ("var a = 1 ? <b/> : <c/>; a.toXMLString()", #""<b/>""#), ("var r = typeof <b/>; r", #""xml""#),
            ("var l = [<a/>, <b/>]; l.length", "2"), ("var p = { x: <a/> }; p.x.toXMLString()", #""<a/>""#),
            ("<a/>; 1", "1"), ("{ <a/> } 1", "1"), ("if (1) <a/>; 1", "1"),
            ("var x = 1; x\n/2/1; for each (var y in []); x", "1"),
            ("var x = !<a/>; x", "false"), ("var f = function (x) x.toXMLString(); f(<a/>)", #""<a/>""#),
        ])
    func signs(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "Semicolons are put in where Rhino put them in",
        arguments: [
            ("var x = <a/>\nvar y = 2\ny", "2"), ("var x = <a>1</a>\nx.toString()", #""1""#),
            ("var y = 1\nvar x = <a/>\n++y\ny", "2"), ("for each (var x in [1])\nvar y = x\ny", "1"),
            ("var x = <a><b>1</b></a>\n.b.toString()\nx", #""1""#), ("var f = function (x) x\nvar y = f(2)\ny", "2"),
            ("let (a = 1) { var b = a }\nb", "1"), ("var a = [x for each (x in [1])]\nvar b = a\nb", "[1]"),
            ("var x = <a/>\nx.@b = 1\nx.toXMLString()", #""<a b=\"1\"/>""#),
            ("default xml namespace = 'u'\nvar x = <a/>\nx.namespace().toString()", #""u""#),
        ])
    func semicolons(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "translates scripts with unusual line ends, a byte order mark, HTML comments or octal numbers",
        arguments: [
            ("\u{FEFF}for each (var x in [1]);\nx", "1"), ("for each (var x in [1]);\r\nx\r\n", "1"),
            ("for each (var x in [1]) // a\u{2028}x = 5\nx", "5"),
            ("var x = <a>1\r\n2</a>;\r\nx.toString()", #""1\n2""#),
            ("new XML('<a>1\\r\\n2</a>').toString()", #""1\n2""#),
            ("<!-- hidden\nfor each (var x in [1]);\n--> end\nx", "1"),
            ("for each (var x in [010, 08, 0x10]) ; [010, 08, '\\101', 0777]", #"[8,8,"A",511]"#),
            ("var x = <a>http://x /* don't */ // y</a>; x.toString()", #""http://x /* don't */ // y""#),
            ("var x = <a>{'{'}{\"}\"}{/}/.source}</a>; x.toString()", #""{}}""#),
            ("var x = <a b=\"{\" c='}'/>; x.@b + x.@c", #""{}""#),
            ("var v\\u0061lue = 1; for each (var x in [get()]) ; function get() value; x", "1"),
            ("with ({ a: 1 }) { a = 5; var b = a } for each (var x in []); b", "5"),
            ("var o = { 'a': 1, 'class': 2, }; for each (var x in []); o.class", "2"),
            ("var s = 'a\\\r\nb'; for each (var x in []); s", #""ab""#),
            ("<!-- a\r\nfor each (var x in [1]);\r\n-->\r\nx", "1"),
        ])
    func text(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "XML in conditions, sums, calls and filters",
        arguments: [
            ("o..item.(@n == 2).name", "ink"), ("o.@nothing == ''", "true"), ("o.item.length", ""), ("+o.@id", "7"),
            ("o.@id - 1", "6"),
            ("o.@id > 5", "true"), ("o.@id++; o.@id", "8"), ("++o.@id; o.@id", "8"), ("o.@id === '7'", "false"),
            ("parseInt(o.@id, 10)", "7"),
            ("isNaN(o.item[0].name)", "true"), ("o.item[0].price < 3", "true"), ("'a' + o.@id", "a7"),
            ("o.@id + 'a'", "7a"),
            ("<a><name>n</name></a>.name", "n"), ("<a><name>n</name></a>.name()", "a"),
            ("<a><length>3</length></a>.length()", "1"),
            ("<a><length>3</length></a>.length", "3"), ("<a><text>t</text></a>.text", "t"),
            ("var r = ''; for (var i = 0; i < o.item.length(); i++) r += o.item[i].@n; r", "12"),
            ("function find(id) { return o.item.(@n == id).name.toString() }; find('2')", "ink"),
            ("o.item.(price.(text() == 30).length() > 0).@n", "2"), ("o.item.(attribute('n') == 2).name", "ink"),
            ("o.item.(hasOwnProperty('@n')).length()", "2"), ("o.item.(name == 'pen' || name == 'cap').length()", "2"),
            ("o.item.(!hasOwnProperty('@n')).name", "cap"), ("o.item.(/^p/.test(name)).length()", "1"),
            ("o.item.(price != undefined && price > 10).name", "ink"),
            ("<a b-c='1'/>.@['b-c']", "1"), ("<a b-c='1'/>['@b-c']", "1"), ("<a><b-c>1</b-c></a>['b-c']", "1"),
            ("<a>{[1, 2]}</a>", "1,2"), ("o.@id = null; o.@id", "null"),
            ("o.appendChild(<a/>).appendChild(<b/>).name()", "order"),
            ("o.item.name.toString()", "<name>pen</name>\n<name>ink</name>\n<name>cap</name>"),
            ("String(o.item.(@n == 1).name)", "pen"), ("o.item.(@n == 1).name.toString() == 'pen' ? 'y' : 'n'", "y"),
            ("var r = ''; for each (var n in o..name) r += n; r", "peninkcap"),
            ("var r = ''; for each (var n in o.item.@n) r += n + ';'; r", "1;2;"),
            ("o.item.(@n == 1) == o.item[0]", "true"), ("o.item[0].parent().@id", "7"),
            ("o.item[o.item.length() - 1].name", "cap"),
            ("(o.item.length() ? o.item : <none/>).length()", "3"),
            ("switch (String(o.@id)) { case '7': var r = 'seven' }; r", "seven"),
            ("var x = <a/>; x.b = 1; x.b += 1; x.b", "11"), ("var x = <a/>; x.b[0] = 1; x.b[1] = 2; x.b.length()", "2"),
            ("var x = <a/>; x.b.@c = 1; x.toXMLString()", "<a>\n  <b c=\"1\"/>\n</a>"),
            ("var x = <a><b/>t<b/></a>; x.text()", "t"), ("var x = <a><b/>t<b/></a>; x.*.length()", "3"),
            (
                "var s = new Namespace('u'); var x = <a xmlns:p='u' p:b='1'><p:c>2</p:c></a>; x.@s::b.toString() + x.s::c",
                "12"
            ),
            ("var x = <p:a xmlns:p='u'><p:b><p:c>1</p:c></p:b></p:a>; var p = x.namespace(); x.p::b.p::c", "1"),
            ("var x = <p:a xmlns:p='u'><p:b/></p:a>; x.namespace('p').uri", "u"),
            ("var x = <p:a xmlns:p='u'/>; x.name().localName", "a"),
            ("var x = <p:a xmlns:p='u'><p:b>1</p:b></p:a>; x..*::b", "1"),
            ("var x = <p:a xmlns:p='u'/>; x.name().uri + x.localName()", "ua"),
            ("var x = <a xmlns='u'><b>1</b></a>; default xml namespace = 'u'; x.b", "1"),
            ("o.item.(@n == 2).@n = 5; o.item[1].@n", "5"),
            (
                "delete o.item.(@n == 2)[0].name; o.item[1].toXMLString()",
                "<item n=\"2\">\n  <price>30</price>\n</item>"
            ),
        ])
    func xml(source: String, expected: String) async throws {
        let parts = source.split(separator: "; ", omittingEmptySubsequences: false)
        let last = parts.count == 1 ? source : String(parts[parts.count - 1])
        let head = source.dropLast(last.count)
        let outcome = try await translateAndRun(Self.order + head + "'' + (\(last))")
        let text = expected.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        #expect(outcome == (try await Engine().run("\"\(text)\"")))
    }

    @Test(
        "XML that goes through functions is compared and joined as XML",
        arguments: [
            ("function f(x) { return x.b == undefined } f(<a/>)", "true"),
            ("function f(x) x.b == undefined; f(<a/>)", "true"),
            (
                "function make() { return <a><b>1</b></a> } var x = make(); [x.c == undefined, undefined == make().c]",
                "[true,true]"
            ),
            ("var make = function () <a/>; (make() + make()).length()", "2"),
            ("function f(x, y) { return (x + y).length() } function g(z) { return f(z, z) } g(<a/>)", "2"),
            (
                "function f(x) { return x == <a>1</a> } function g() { return f(h()) } function h() { return <a>1</a> } g()",
                "true"
            ),
            ("function f(x, y) { return x + y } [f(1, 2), f('a', 1), f(<a>1</a>, 'b')]", "[3,\"a1\",\"1b\"]"),
            ("function f(x) { return x == '1' } [f('1'), f(1), f(<a>1</a>), f(null)]", "[true,true,true,false]"),
            ("function f(a) { return a ? <b/> : null } typeof f(0)", "\"object\""),
        ])
    func throughFunctions(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "A string is replaced with flags",
        arguments: [
            ("'a-b-c'.replace('-', '+', 'g')", #""a+b+c""#), ("'a.b.c'.replace('.', '$&$&', 'g')", #""a..b..c""#),
            ("'aBb'.replace('b', 'x', 'i')", #""axb""#), ("'a-b-c'.replace('-', '+')", #""a+b-c""#),
            ("'a-b-c'.replace(/-/, '+', 'g')", #""a+b-c""#), ("var r = /-/; 'a-b-c'.replace(r, '+', 'g')", #""a+b-c""#),
            ("'a--'.replace('-', '1', 'g').replace('1', '2', 'g').length", "3"),
            ("'a-b-c'.replace('-', function (x) x + x, 'g')", #""a--b--c""#),
            ("'a\\\\b\\\\'.replace('\\\\', '/', 'g')", #""a/b/""#),
            ("({ replace: function (a, b, c) { return a + b + c + this.k }, k: 4 }).replace(1, 2, 3)", "10"),
            ("var o = { s: 'a-a' }; o\n.s\n.replace('a',\n'b',\n'g')", #""b-b""#),
        ])
    func replaceFlags(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test(
        "Iterators of JavaScript 1.7 in all their uses",
        arguments: [
            ("function g() { try { yield 1 } catch (e) { yield e } } var i = g(); [i.next(), i.throw(5)]", "[1,5]"),
            ("function g() { while (true) yield 1 } var n = 0; for (var x in g()) if (++n > 3) break; n", "4"),
            (
                "var it = Iterator([4, 5]); var r = []; try { while (true) r.push(it.next()) } catch (e if e instanceof StopIteration) {} r",
                "[[0,4],[1,5]]"
            ),
            (
                "var o = { __iterator__: function () { yield 1; yield 2 } }; var r = []; for (var x in o) r.push(x); r",
                "[1,2]"
            ),
            ("function g() { yield; yield 2 } var r = []; for each (var x in g()) r.push(x); r.length", "2"),
        ])
    func iterators(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }
}
