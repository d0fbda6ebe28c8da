/// Adapters with constructors, classes, closures and documents made for each call.
extension StatelessScripts {
    static let shapes = [
        ScriptCase(
            "a counter inside the call",
            #"""
            function number(rows) {
                var n = 0;
                function next() { return ++n; }
                rows.forEach(function (r) { r.number = next(); });
                return rows;
            }
            """#),
        ScriptCase(
            "a module made for each call",
            #"""
            function report(lines) {
                var log = (function () { var all = []; return { add: function (l) { all.push(l); }, all: all }; })();
                lines.forEach(function (l) { log.add(l.toUpperCase()); });
                return log.all;
            }
            """#),
        ScriptCase(
            "a constructor of rows",
            #"""
            function Row(id, name) { this.id = id; this.name = name; }
            function row(id, name) { return new Row(id, name); }
            """#),
        ScriptCase(
            "a constructor with methods",
            #"""
            function Basket() { this.items = []; }
            Basket.prototype.add = function (x) { this.items.push(x); return this; };
            Basket.prototype.total = function () { return this.items.reduce(function (a, b) { return a + b; }, 0); };
            function total(a, b) { return { total: new Basket().add(a).add(b).total() }; }
            """#),
        ScriptCase(
            "a class made new for each call",
            #"""
            class Builder {
                constructor() { this.parts = []; }
                with(text) { this.parts.push(text); return this; }
                build() { return this.parts.join("/"); }
            }
            function path(a, b) { return { path: new Builder().with(a).with(b).build() }; }
            """#),
        ScriptCase(
            "a class that extends another",
            #"""
            class Shape { constructor(name) { this.name = name; } area() { return 0; } }
            class Square extends Shape { constructor(a) { super("square"); this.a = a; } area() { return this.a * this.a; } }
            function area(a) { const s = new Square(a); return { name: s.name, area: s.area() }; }
            """#),
        ScriptCase(
            "a generator run in the call",
            #"""
            function* range(n) { for (let i = 0; i < n; i++) { yield i; } }
            function list(n) { return [...range(n)]; }
            """#),
        ScriptCase(
            "a set of the call",
            #"""
            function unique(list) { const seen = new Set(list); seen.delete(null); return [...seen]; }
            """#),
        ScriptCase(
            "a getter on a local object",
            #"""
            function circle(r) {
                var c = { r: r, get area() { return Math.PI * this.r * this.r; } };
                return { r: c.r, area: c.area };
            }
            """#),
        ScriptCase(
            "a copy by Object.assign",
            #"""
            const DEFAULTS = { size: 10, order: "asc" };
            function query(given) { return Object.assign({}, DEFAULTS, { text: String(given) }); }
            """#),
        ScriptCase(
            "a deep copy before a change",
            #"""
            var TEMPLATE = { user: { name: "", roles: [] } };
            function user(name) {
                var copy = JSON.parse(JSON.stringify(TEMPLATE));
                copy.user.name = name;
                copy.user.roles.push("guest");
                return copy;
            }
            """#),
        ScriptCase(
            "a list of constants joined to the client's",
            #"""
            var FIXED = ["id", "name"];
            function columns(more) { var all = FIXED.concat(more); all.sort(); return all.join(","); }
            """#),
        ScriptCase(
            "defaults by parameters and patterns",
            #"""
            function find({ text = "", page = 1 } = {}, size = 20) { return { text, from: (page - 1) * size, size }; }
            """#),
        ScriptCase(
            "a local that hides a table",
            #"""
            var rows = ["a", "b"];
            function list(n) { var rows = []; for (var i = 0; i < n; i++) { rows.push(i); } return rows; }
            """#),
        ScriptCase(
            "a parameter that hides a table",
            #"""
            var options = { page: 1 };
            function next(options) { options.page = options.page + 1; return options; }
            """#),
        ScriptCase(
            "a table of handlers",
            #"""
            var HANDLERS = {
                add: function (a, b) { return a + b; },
                multiply: function (a, b) { return a * b; }
            };
            function run(name, a, b) {
                if (name !== "add" && name !== "multiply") { return { error: "no such operation" }; }
                return { value: HANDLERS[name](a, b) };
            }
            """#),
        ScriptCase(
            "a helper set up at load by assignments",
            #"""
            var Text = {};
            Text.blank = function (s) { return !s || /^\s*$/.test(s); };
            Text.cut = function (s, n) { return s.length > n ? s.substring(0, n) + "..." : s; };
            function tidy(s) { return { text: Text.blank(s) ? "" : Text.cut(s, 20) }; }
            """#),
        ScriptCase(
            "a table built by a loop at load",
            #"""
            var SQUARES = {};
            for (var i = 0; i < 10; i++) { SQUARES["n" + i] = i * i; }
            function square(n) { return SQUARES["n" + n]; }
            """#),
        ScriptCase(
            "a document made in the call",
            #"""
            function request(id) {
                var doc = <request><id/></request>;
                doc.id = id;
                doc.@version = "1";
                doc.appendChild(<time>{new Date().getTime()}</time>);
                return { text: doc.toXMLString() };
            }
            """#),
        ScriptCase(
            "a document read by a loop",
            #"""
            var MENU = <menu><dish price="3">soup</dish><dish price="5">fish</dish></menu>;
            function cheap(limit) {
                var names = [];
                for each (var d in MENU.dish) { if (Number(d.@price) < limit) { names.push(String(d)); } }
                return names;
            }
            """#),
        ScriptCase(
            "a list of elements that grows in the call",
            #"""
            function table(rows) {
                var list = <></>;
                for each (var r in rows) { list += <row id={r.id}>{r.name}</row>; }
                return { text: <table>{list}</table>.toXMLString() };
            }
            """#),
        ScriptCase(
            "a copied document that is changed",
            #"""
            var TEMPLATE = <user><name/></user>;
            function user(name) { var doc = TEMPLATE.copy(); doc.name = name; return doc.toXMLString(); }
            """#),
        ScriptCase(
            "a let block of the call",
            #"""
            function area(w, h) { let (a = w * h) { return { area: a }; } }
            """#),
        ScriptCase(
            "a conditional handler of the call",
            #"""
            function parse(text) {
                try { return JSON.parse(text); }
                catch (e if e instanceof SyntaxError) { return { problem: "syntax" }; }
                catch (e) { return { problem: String(e) }; }
            }
            """#),
    ]
}
