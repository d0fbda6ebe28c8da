/// Programs that keep something in an XML document, or use Rhino's own syntax.
extension StatefulScripts {
    static let documents = [
        ScriptCase(
            "an element of a document",
            #"""
            var doc = <list/>;
            function put(v) { doc.item = v; return doc.toXMLString(); }
            """#),
        ScriptCase(
            "an attribute of a document",
            #"""
            var doc = <list count="0"/>;
            function count() { doc.@count = Number(doc.@count) + 1; return String(doc.@count); }
            """#),
        ScriptCase(
            "an attribute by its name",
            #"""
            var doc = <list/>;
            function put(v) { var before = String(doc.@["last"]); doc.@["last"] = v; return before; }
            """#),
        ScriptCase(
            "an element added to a list",
            #"""
            var rows = <rows/>;
            function add(v) { rows.row += <row>{v}</row>; return rows.row.length(); }
            """#),
        ScriptCase(
            "a list of elements that grows",
            #"""
            var rows = <><row/></>;
            function add(v) { rows += <row>{v}</row>; return rows.length(); }
            """#),
        ScriptCase(
            "a child that is appended",
            #"""
            var doc = <log/>;
            function note(v) { doc.appendChild(<line>{v}</line>); return doc.toXMLString(); }
            """#),
        ScriptCase(
            "a child before the others",
            #"""
            var doc = <log/>;
            function note(v) { var d = doc; d.prependChild(<line>{v}</line>); return String(d); }
            """#),
        ScriptCase(
            "an element that is deleted",
            #"""
            var doc = <list><a/><b/></list>;
            function drop() { var n = doc.children().length(); delete doc.a; return n; }
            """#),
        ScriptCase(
            "an element that is replaced",
            #"""
            var doc = <list><a>1</a></list>;
            function swap(v) { var before = String(doc.a); doc.replace("a", <a>{v}</a>); return before; }
            """#),
        ScriptCase(
            "all children replaced",
            #"""
            var doc = <list/>;
            function swap(v) { var before = String(doc.item); doc.setChildren(<item>{v}</item>); return before; }
            """#),
        ScriptCase(
            "a new name for an element",
            #"""
            var doc = <open/>;
            function close() { var before = String(doc.name()); doc.setName("closed"); return before; }
            """#),
        ScriptCase(
            "an element below a filter",
            #"""
            var doc = <users><user id="1"/><user id="2"/></users>;
            function mark(id, v) { doc.user.(@id == id).@mark = v; return doc.toXMLString(); }
            """#),
        ScriptCase(
            "an element deep in a document",
            #"""
            var doc = <a><b><c>0</c></b></a>;
            function swap(v) { var c = doc..b, before = String(c.c); c.c = v; return before; }
            """#),
        ScriptCase(
            "elements found by a loop",
            #"""
            var doc = <rows><row n="0"/><row n="0"/></rows>;
            function hit() { for each (var row in doc.row) { row.@n = Number(row.@n) + 1; } return doc.toXMLString(); }
            """#),
        ScriptCase(
            "a document made by a constructor",
            #"""
            var doc = new XML("<soap><body/></soap>");
            function envelope(user) { doc.body.user += <user>{user}</user>; return doc.toXMLString(); }
            """#),
        ScriptCase(
            "a template that sticks",
            #"""
            var template = <request><id/></request>;
            function send(id) {
                var body = template;
                if (id) { body.id = id; }
                return WL.Server.invokeHttp({ method: "post", path: "/s", body: { content: String(body), contentType: "xml" } });
            }
            """#),
        ScriptCase(
            "a part of a document appended to another",
            #"""
            var part = <user/>;
            function wrap(v) { var doc = <list/>; doc.appendChild(part); part.@name = v; return doc; }
            function last() { return String(part.@name); }
            """#),
        ScriptCase(
            "a setting of the XML constructor",
            #"""
            function plain() { XML.prettyPrinting = false; return <a><b/></a>.toXMLString(); }
            """#),
        ScriptCase(
            "a for each over shared rows",
            #"""
            var rows = [{ n: 0 }, { n: 0 }];
            function hit() { for each (var row in rows) { row.n++; } return rows; }
            """#),
        ScriptCase(
            "a for each with an undeclared name after it",
            #"""
            var last;
            function lastOf(o) { for each (last in o) { WL.Logger.debug(last); } return last; }
            """#),
        ScriptCase(
            "a let block over a shared table",
            #"""
            var table = { v: null };
            function put(x) { let (t = table) { t.v = t.v || x; } return table.v; }
            """#),
        ScriptCase(
            "a let expression over a shared list",
            #"""
            var list = [];
            function add(x) { return let (l = list) l.push(x); }
            """#),
        ScriptCase(
            "a conditional handler",
            #"""
            var failure = { n: 0 };
            function attempt(v) { try { if (v) { throw failure; } } catch (e if e === failure) { e.n++; return e.n; } return 0; }
            """#),
        ScriptCase(
            "an expression closure",
            #"""
            var n = 0;
            function next() n++;
            """#),
        ScriptCase(
            "an array comprehension that writes",
            #"""
            var total = 0;
            function sum(list) { var all = [total += x for each (x in list)]; return total; }
            """#),
        ScriptCase(
            "a destructured for each",
            #"""
            var pairs = [["a", { n: 0 }]];
            function hit() { for each (var [k, v] in pairs) { v.n++; } return pairs; }
            """#),
    ]
}
