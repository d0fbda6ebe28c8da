import AdapterSyntax
import Testing

@Suite("E4X")
struct XMLTests {
    private static let order = """
        var o = <order id="7"><item n="1"><name>pen</name><price>2</price></item>\
        <item n="2"><name>ink &amp; pot</name><price>30</price></item><note/></order>;

        """

    @Test(
        "A literal becomes its string",
        arguments: [
            ("<a/>", ""), ("<a/>.toXMLString()", "<a/>"), ("<a></a>.toXMLString()", "<a/>"),
            ("<a>b</a>.toXMLString()", "<a>b</a>"), ("<a>b</a>", "b"), ("<a b='c'/>.toXMLString()", "<a b=\"c\"/>"),
            ("<a><b/></a>", "<a>\n  <b/>\n</a>"), ("<a> <b> c </b> </a>.toXMLString()", "<a>\n  <b>c</b>\n</a>"),
            ("<a><![CDATA[<x>]]></a>.toXMLString()", "<a>&lt;x&gt;</a>"), ("<a><!-- no --></a>", ""),
            ("<a>&lt;&amp;&#65;&quot;</a>", "<&A\""),
            ("var v = '<&\">'; <a>{v}</a>.toXMLString()", "<a>&lt;&amp;\"&gt;</a>"),
            ("var v = '<&\"\\n'; <a b={v}/>.toXMLString()", "<a b=\"&lt;&amp;&quot;&#xA;\"/>"),
            ("var n = 'x'; <{n}>1</>.toXMLString()", "<x>1</x>"),
            ("var n = 'x'; <a {n}={1 + 1}/>.toXMLString()", "<a x=\"2\"/>"),
            ("<a>{<b>1</b>}{2}</a>.toXMLString()", "<a>\n  <b>1</b>\n  2\n</a>"),
            ("<a>{[1, 2].map(function (x) <b>{x}</b>).join('')}</a>.toXMLString()", "<a>12</a>"),
            ("var l = <><b/><c/></>; <a>{l}</a>", "<a>\n  <b/>\n  <c/>\n</a>"),
            ("<a>{undefined}{null}{true}</a>", "undefinednulltrue"),
            ("<a b='\"'/>.toXMLString()", "<a b=\"&quot;\"/>"), ("var x = 1; <a>\\n\"'`${x}</a>", "\\n\"'`$1"),
            ("<a b='{c}'/>.toXMLString()", "<a b=\"{c}\"/>"),
            ("XML.prettyPrinting = false; <a><b/></a>", "<a><b/></a>"), ("<><a/><b/></>", "<a/>\n<b/>"),
            ("<p:a xmlns:p='u'><p:b/></p:a>", "<p:a xmlns:p=\"u\">\n  <p:b/>\n</p:a>"),
            ("<a xmlns='u'><b/></a>", "<a xmlns=\"u\">\n  <b/>\n</a>"),
            ("<a xmlns='u'><b xmlns=''/></a>", "<a xmlns=\"u\">\n  <b xmlns=\"\"/>\n</a>"),
            ("'' + <a>1</a>", "1"), ("<a>1</a> + 1", "11"), ("new XML('<a><b>1</b></a>').b", "1"),
            ("XML('text')", "text"), ("String(<a>x</a>)", "x"),
        ])
    func literals(source: String, expected: String) async throws {
        let last = source.split(separator: "; ").last.map(String.init) ?? source
        let script = source.dropLast(last.count) + "String(\(last.first == "'" ? last : "(\(last))"))"
        let outcome = try await translateAndRun(String(script))
        let engine = try await Engine().run("\(json(expected))")
        #expect(outcome == engine)
    }

    private func json(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    }

    @Test(
        "XML can be read",
        arguments: [
            ("o.@id", "7"), ("o.item.length()", "2"), ("o.item[0].name", "pen"), ("o.item[1].name", "ink & pot"),
            ("o..name.length()", "2"),
            ("o..price[1]", "30"), ("o.item.(@n == 2).name", "ink & pot"), ("o.item.(price > 10).@n", "2"),
            ("o.item.(name == 'pen').price", "2"),
            ("o.item.(name.toUpperCase() == 'PEN').@n", "1"), ("o.*.length()", "3"), ("o.item.@n", "12"),
            ("o.item.@*.length()", "2"), ("o.@*", "7"),
            ("o['@id']", "7"), ("o['item'].length()", "2"), ("o.nothing.length()", "0"), ("o.nothing", ""),
            ("o.nothing == undefined", "true"),
            ("o.item[5] == undefined", "true"), ("o.@nothing.length()", "0"), ("o.item[0].name.text()", "pen"),
            ("o.item[0].name.text().length()", "1"),
            ("o.note.hasSimpleContent()", "true"), ("o.hasComplexContent()", "true"), ("o.name()", "order"),
            ("o.item[0].localName()", "item"),
            ("o.children().length()", "3"), ("o.child('item').length()", "2"), ("o.child(2).name()", "note"),
            ("o.attribute('id')", "7"),
            ("o.attributes()[0].name()", "id"), ("o.elements('item').length()", "2"),
            ("o.descendants('price').length()", "2"),
            ("o.item[0].parent() === o", "true"), ("o.item[1].childIndex()", "1"), ("o.nodeKind()", "element"),
            ("o.@id.nodeKind()", "attribute"),
            ("typeof o", "xml"), ("o instanceof XML", "true"), ("o.item instanceof XMLList", "true"),
            ("'item' in o", "true"), ("'other' in o", "false"),
            ("o.hasOwnProperty('@id')", "true"), ("o.@id == 7", "true"), ("o.@id == '7'", "true"),
            ("o.item[0].price * 3", "6"), ("o.item[0].price + 1", "21"),
            ("o.item[0].name == o.item[0].name", "true"),
            ("o.item[0] == <item n='1'><name>pen</name><price>2</price></item>", "true"),
            ("o.item[0] == o.item[1]", "false"), ("o.contains(o)", "true"), ("o.item.(@n == 3).length()", "0"),
            ("o.item.(missing == 1).length()", "0"),
            ("var r = []; for each (var i in o.item) r.push(i.@n); r.join()", "1,2"),
            ("var r = []; for (var i in o.item) r.push(i); r.join()", "0,1"),
            ("var r = []; for each (var i in o.item) r.push(i.name.length()); r.join()", "1,1"),
            ("o..*.length()", "11"), ("o..@n.length()", "2"), ("o.item.name.length()", "2"),
            ("var k = 'id'; o.@[k]", "7"), ("var k = 'item'; o[k].length()", "2"),
            ("JSON.stringify({ a: o.@id })", "{\"a\":\"7\"}"), ("o.item[0].name.split('e').length", "2"),
            ("Number(o.item[0].price) + 1", "3"), ("o.item.length() == 2 ? 'y' : 'n'", "y"),
            ("o.item.(@n == o.item[1].@n).name", "ink & pot"), ("o.toString() == o.toXMLString()", "true"),
            ("o.item[0].*[1]", "2"),
            (
                "var n = new Namespace('p', 'u'); var x = <p:a xmlns:p='u'><p:b>1</p:b><b>2</b></p:a>; [x.n::b, x.b, x.*::b.length(), x.n::['b'], x..n::b].join()",
                "1,2,2,1,1"
            ),
            ("default xml namespace = 'u'; <a><b>1</b></a>.b", "1"),
            ("var x = <a xmlns='u'><b/></a>; x.b.length()", "0"), ("o.namespace()", ""),
            ("new QName('u', 'a')", "u::a"), ("isXMLName('a-b') + ' ' + isXMLName('1')", "true false"),
        ])
    func reading(source: String, expected: String) async throws {
        let parts = source.split(separator: "; ", omittingEmptySubsequences: false)
        let last = parts.count == 1 ? source : String(parts[parts.count - 1])
        let head = source.dropLast(last.count)
        let script = Self.order + head + "'' + (\(last))"
        let outcome = try await translateAndRun(script)
        #expect(outcome == (try await Engine().run(json(expected))))
    }

    @Test(
        "XML can be changed",
        arguments: [
            ("o.@id = 8; o.@id", "8"), ("o.@new = '<'; o.@new", "<"),
            ("o.note = 'hi & ho'; o.note.toXMLString()", "<note>hi &amp; ho</note>"),
            ("o.added = 1; o.added", "1"), ("o.item[0].price = 5; o.item[0].price", "5"),
            ("delete o.item; o.toXMLString()", "<order id=\"7\">\n  <note/>\n</order>"),
            ("delete o.@id; o.@id.length()", "0"), ("delete o.item[0]; o.item.@n", "2"),
            ("o.appendChild(<item n='3'/>); o.item.length()", "3"),
            ("o.appendChild('t'); o.text()", "t"), ("o.prependChild(<first/>); o.*[0].name()", "first"),
            ("o.item += <item n='3'/>; o.item.@n", "123"),
            ("o.item[2] = <item n='3'/>; o.item.@n", "123"),
            ("o.item[o.item.length()] = <item n='4'/>; o.item.@n", "124"),
            ("o.a.b.c = 1; o.a.toXMLString()", "<a>\n  <b>\n    <c>1</c>\n  </b>\n</a>"),
            ("var l = <a/> + <b/>; l.length()", "2"), ("var l = <a/>; l += <b/>; l += <c/>; l.length()", "3"),
            ("var l = new XMLList(); l += <b/>; l.toXMLString()", "<b/>"),
            ("o.note = <memo>x</memo>; o.memo", "x"), ("o.item[0].@n += 'x'; o.item[0].@n", "1x"),
            ("o.setChildren(<a/>); o.toXMLString()", "<order id=\"7\">\n  <a/>\n</order>"),
            ("o.replace('note', <n/>); o.n.length()", "1"), ("o.insertChildAfter(o.item[0], <x/>); o.*[1].name()", "x"),
            ("o.insertChildBefore(o.note, <x/>); o.*[2].name()", "x"),
            ("var c = o.copy(); c.@id = 9; o.@id", "7"), ("o.note.@a = 1; o.note.toXMLString()", "<note a=\"1\"/>"),
            ("o.setName('n'); o.name()", "n"),
            ("o.item[0].setLocalName('j'); o.j.length()", "1"), ("o.note += <note>2</note>; o.note.length()", "2"),
            ("o.note = ''; o.note.toXMLString()", "<note/>"),
            ("var n = new Namespace('p', 'u'); o.addNamespace(n); o.n::z = 1; o.n::z", "1"),
            ("o.note = o.item[0].name; o.name.toXMLString()", "<name>pen</name>"),
            ("o.item.(@n == 1).price = 9; o.item[0].price", "9"), ("o.* = <only/>; o.only.length()", "1"),
        ])
    func changing(source: String, expected: String) async throws {
        try await reading(source: source, expected: expected)
    }

    @Test(
        "A variable is XML where XML is assigned to it, and not where another has its name",
        arguments: [
            ("function f() { var a = <b/>; return typeof a } [f(), typeof a]", #"["xml","undefined"]"#),
            ("function f(a) { return typeof a } function g() { var a = <b/>; } f(1)", #""number""#),
            (
                "function f() { a = <b/> } var r = [typeof a, typeof (a)]; f(); r.concat(typeof a)",
                #"["undefined","undefined","xml"]"#
            ),
            ("var a = 1; var a = <b/>; typeof a", #""xml""#),
            ("var a; function f() { a = <b/> } f(); typeof a", #""xml""#),
            ("{ let a = <b/>; { let a = 1; var r = typeof a } } r", #""number""#),
        ])
    func variables(source: String, expected: String) async throws {
        #expect(try await translateAndRun(source) == .value(expected))
    }

    @Test("Operators on variables that only share a name with XML stay unchanged")
    func operators() throws {
        let source = "function f(a) { return a + a == a } function g() { let a = "
        #expect(try translation(source + "<b/> }").source.hasPrefix(source))
    }

    @Test("IBM's way to call a SOAP service works, with its lines in place")
    func soap() async throws {
        let source = """
            function request(countryName) {
                var request =
                    <soap:Envelope
                        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                        xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">
                        <soap:Body>
                            <GetCities xmlns="http://www.webserviceX.NET">
                                <CountryName>{countryName}</CountryName>
                            </GetCities>
                        </soap:Body>
                    </soap:Envelope>;
                return { body: { content: request.toString(), contentType: 'text/xml; charset=utf-8' } };
            }
            request("Trinidad & Tobago").body.content
            """
        let expected = """
            <soap:Envelope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">
              <soap:Body>
                <GetCities xmlns="http://www.webserviceX.NET">
                  <CountryName>Trinidad &amp; Tobago</CountryName>
                </GetCities>
              </soap:Body>
            </soap:Envelope>
            """
        #expect(try await translateAndRun(source) == (try await Engine().run(json(expected))))
    }

    @Test("The default namespace ends with the function that sets it")
    func defaultNamespace() async throws {
        let source = """
            function f() { default xml namespace = 'u'; return <a/>.toXMLString(); }
            [f(), <b/>.toXMLString(), f()]
            """
        #expect(try await translateAndRun(source) == .value(#"["<a xmlns=\"u\"/>","<b/>","<a xmlns=\"u\"/>"]"#))
    }

    @Test(
        "XML that is wrong fails when it is read, with the reason",
        arguments: [
            ("new XML('<a>')", "TypeError: XML: <a> has no end"),
            ("XML('<a></b>')", "TypeError: XML: </b> does not close <a>"),
            ("<a>a & b</a>", "TypeError: XML: \"&\" is not an entity; write &amp; for an ampersand"),
            ("<p:a/>", "TypeError: XML: the prefix \"p\" of \"p:a\" is not declared"),
            ("XML('<a b=1/>')", "TypeError: XML: no tag: <a b=1/>"),
            ("XML('<a/><b/>')", "TypeError: XML: expected one element, and the string has 2"),
            ("<a><b/></a>.foo()", "TypeError: XML has no method foo()"),
            ("XML('<a b=\"1\" b=\"2\"/>')", "TypeError: XML: the attribute \"b\" occurs twice in <a>"),
            ("<><a/><a/></>.b = 1", "TypeError: XML: a property cannot be assigned to a list of 2 elements"),
        ])
    func failures(source: String, expected: String) async throws {
        guard case .thrown(let summary, _) = try await translateAndRun(source) else {
            Issue.record("nothing was thrown")
            return
        }
        #expect(summary == expected)
    }
}
