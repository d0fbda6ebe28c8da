extension LeakProgram {
    // MARK: - XML documents

    static let documents: [LeakProgram] = [
        LeakProgram(
            "assigns an element of a document",
            #"""
            var doc = <list/>;
            function set(u) { doc.item = u; }
            function get() { return { v: doc.toXMLString() }; }
            """#),
        LeakProgram(
            "assigns an attribute of a document",
            #"""
            var doc = <list/>;
            function set(u) { doc.@user = u; }
            function get() { return { v: doc.toXMLString() }; }
            """#),
        LeakProgram(
            "appends an element to a document",
            #"""
            var doc = <list/>;
            function set(u) { doc.appendChild(<row>{u}</row>); }
            function get() { return { v: doc.toXMLString() }; }
            """#),
        LeakProgram(
            "assigns in a list that a document's elements are",
            #"""
            var rows = <list><a/><a/></list>.a;
            function set(u) { rows[1] = u; }
            function get() { return { v: rows.toXMLString() }; }
            """#),
        LeakProgram(
            "assigns below a filter",
            #"""
            var doc = <list><user id="1"/></list>;
            function set(u) { doc.user.(@id == 1).@mark = u; }
            function get() { return { v: doc.toXMLString() }; }
            """#),
        LeakProgram(
            "renames the element of a document",
            #"""
            var doc = <list/>;
            function set(u) { doc.setName(u); }
            function get() { return { v: doc.toXMLString() }; }
            """#),
        LeakProgram(
            "gives a document a namespace",
            #"""
            var doc = <list/>;
            function set(u) { doc.addNamespace(new Namespace("p", u)); }
            function get() { return { v: doc.toXMLString() }; }
            """#),
        LeakProgram(
            "fills an element that it has put into another document",
            #"""
            var part = <user/>;
            function set(u) { var doc = <list/>; doc.appendChild(part); part.@name = u; }
            function get() { return { v: String(part.@name) }; }
            """#),
        LeakProgram(
            "fills a document that only a closure holds",
            #"""
            var users = (function (doc) {
                return { put: function (u) { doc.@last = u; }, read: function () { return String(doc.@last); } };
            })(<users/>);
            function set(u) { users.put(u); }
            function get() { return { v: users.read() }; }
            """#),
        LeakProgram(
            "assigns a setting of documents",
            #"""
            function set(u) { XML.prettyIndent = u; }
            function get() { return { v: XML.prettyIndent }; }
            """#),
        LeakProgram(
            "gives the constructor of documents a member",
            #"""
            function set(u) { XML.user = u; }
            function get() { return { v: XML.user, text: String(<a/>) }; }
            """#),
        LeakProgram(
            "gives a qualified name a member",
            #"""
            var name = new QName("a");
            function set(u) { name.user = u; }
            function get() { return { v: name.user }; }
            """#),
    ]

    // MARK: - What only Rhino had

    static let rhino: [LeakProgram] = [
        LeakProgram(
            "assigns in a comprehension",
            #"""
            var last = null;
            function set(u) { [last = x for each (x in [u])]; }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns the variable of a comprehension's turn",
            #"""
            var cells = [
                { put: function (u) { x = u; }, read: function () { return x; } } for each (x in [null])
            ];
            function set(u) { cells[0].put(u); }
            function get() { return { v: cells[0].read() }; }
            """#),
        LeakProgram(
            "fills what a generator expression gave",
            #"""
            var users = ({ id: x } for each (x in [1, 2])), first = users.next();
            function set(u) { first.name = u; }
            function get() { return { v: first }; }
            """#),
        LeakProgram(
            "assigns a variable of a let block",
            #"""
            var put, read;
            let (last = null) { put = function (u) { last = u; }; read = function () { return last; }; }
            function set(u) { put(u); }
            function get() { return { v: read() }; }
            """#),
        LeakProgram(
            "fills an array that a let expression names",
            #"""
            var list = [];
            function set(u) { let (l = list) l.push(u); }
            function get() { return { v: list }; }
            """#),
        LeakProgram(
            "assigns the variable of a catch with a condition",
            #"""
            var put, read;
            try { throw null; } catch (last if last === null) {
                put = function (u) { last = u; };
                read = function () { return last; };
            }
            function set(u) { put(u); }
            function get() { return { v: read() }; }
            """#),
        LeakProgram(
            "fills what a catch with a condition caught",
            #"""
            var table = {};
            function set(u) { try { throw table; } catch (e if e === table) { e.last = u; } }
            function get() { return { v: table }; }
            """#),
        LeakProgram(
            "assigns in a function that is an expression",
            #"""
            var last = null;
            function put(u) last = u;
            function set(u) { put(u); }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "fills rows that a loop takes apart",
            #"""
            var pairs = [["a", {}]];
            function set(u) { for each (var [key, row] in pairs) row.name = u; }
            function get() { return { v: pairs }; }
            """#),
        LeakProgram(
            "gives an iterator of Rhino's a member",
            #"""
            var keys = Iterator({ a: 1 });
            function set(u) { keys.last = u; }
            function get() { return { v: keys.last }; }
            """#),
    ]

    // MARK: - Objects of Java's and of the server

    static let javaAndServer: [LeakProgram] = [
        LeakProgram(
            "puts a value into a table of Java's",
            #"""
            var table = new java.util.Hashtable();
            function set(u) { table.put("user", u); }
            function get() { return { v: table.get("user") }; }
            """#),
        LeakProgram(
            "gives a method of a table of Java's a member",
            #"""
            var table = new java.util.Hashtable();
            function set(u) { table.put.user = u; }
            function get() { return { v: table.put.user }; }
            """#),
        LeakProgram(
            "puts a value into a table of Java's that only a closure holds",
            #"""
            var users = (function (table) {
                return [function (u) { table.setProperty("u", u); }, function () { return table.getProperty("u"); }];
            })(new java.util.Properties());
            function set(u) { users[0](u); }
            function get() { return { v: users[1]() }; }
            """#),
        LeakProgram(
            "gives an importer of Java's packages a member",
            #"""
            var names = new JavaImporter(java.util.Hashtable);
            function set(u) { names.user = u; }
            function get() { return { v: names.user }; }
            """#),
        LeakProgram(
            "assigns the name of Java's packages",
            #"""
            function set(u) { java = u; }
            function get() { return { v: String(java) }; }
            """#),
        LeakProgram(
            "assigns the name of the server's object",
            #"""
            function set(u) { WL = { user: u }; }
            function get() { return { v: WL.user }; }
            """#),
        LeakProgram(
            "gives the server's object a member",
            #"""
            function set(u) { WL.Cache = u; }
            function get() { return { v: WL.Cache }; }
            """#),
        LeakProgram(
            "changes a notification that it made at load",
            #"""
            var notification = WL.Server.createDefaultNotification("none", 1, {});
            function set(u) { notification.APNS.alert = u; }
            function get() { return { v: notification }; }
            """#),
        LeakProgram(
            "gives a handler of events a member",
            #"""
            var handler = WL.Server.createEventHandler({ type: "place" }, function () {});
            function set(u) { handler.user = u; }
            function get() { return { v: handler.user }; }
            """#),
    ]
}
