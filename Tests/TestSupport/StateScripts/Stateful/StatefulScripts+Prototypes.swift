/// Programs that change what all objects inherit, or a table through what inherits from it.
extension StatefulScripts {
    static let prototypes = [
        ScriptCase(
            "a function on Object.prototype during a call",
            #"""
            function extend(name) { Object.prototype.note = name; return {}.note; }
            """#),
        ScriptCase(
            "a function on Array.prototype during a call",
            #"""
            function install() { if (!Array.prototype.last) { Array.prototype.last = function () { return this[this.length - 1]; }; } }
            function last(list) { return list.last ? list.last() : null; }
            """#),
        ScriptCase(
            "a prototype behind a local name",
            #"""
            function install(v) { var p = String.prototype, before = p.mark; p.mark = v; return before; }
            """#),
        ScriptCase(
            "a prototype by a constructor",
            #"""
            function install(v) { var c = [].constructor.prototype, before = c.mark; c.mark = v; return before; }
            """#),
        ScriptCase(
            "a prototype of a prototype",
            #"""
            function install(v) { var before = ({}).mark; ({}).__proto__.mark = v; return before; }
            """#),
        ScriptCase(
            "a prototype by getPrototypeOf",
            #"""
            function install(v) { var p = Object.getPrototypeOf([]), before = [].mark; p.mark = v; return before; }
            """#),
        ScriptCase(
            "a prototype of the client's object",
            #"""
            function tag(o, v) { var before = {}.mark; o.constructor.prototype.mark = v; return before; }
            """#),
        ScriptCase(
            "keys of the client two levels deep",
            #"""
            function set(a, b, v) { var o = {}; o[a] = o[a] || {}; o[a][b] = v; return o; }
            """#),
        ScriptCase(
            "rows grouped by the client's names",
            #"""
            function group(rows) {
                var groups = {};
                rows.forEach(function (r) { if (!groups[r.kind]) { groups[r.kind] = { n: 0 }; } groups[r.kind].n = r.n; });
                return groups;
            }
            function probe() { return {}.n; }
            """#),
        ScriptCase(
            "a deep merge of the client's object",
            #"""
            function merge(into, from) {
                for (var k in from) {
                    if (typeof from[k] === "object") { into[k] = merge(into[k] || {}, from[k]); } else { into[k] = from[k]; }
                }
                return into;
            }
            function settings(given) { return merge({}, given); }
            """#),
        ScriptCase(
            "a value set at the client's path",
            #"""
            function setPath(o, path, v) {
                var parts = path.split("."), last = parts.pop();
                for (var i = 0; i < parts.length; i++) { o = o[parts[i]] = o[parts[i]] || {}; }
                o[last] = v;
            }
            function build(path, v) { var o = {}; setPath(o, path, v); return o; }
            """#),
        ScriptCase(
            "columns of a back-end answer two levels deep",
            #"""
            function pivot() {
                var table = {}, rows = WL.Server.invokeHttp({ method: "get", path: "/cells" }).cells;
                for (var i = 0; i < rows.length; i++) { (table[rows[i].x] || (table[rows[i].x] = {}))[rows[i].y] = rows[i].v; }
                return table;
            }
            """#),
        ScriptCase(
            "a query string into nested objects",
            #"""
            function parse(query) {
                var out = {};
                query.split("&").forEach(function (pair) {
                    var m = /^(\w+)\[(\w+)\]=(.*)$/.exec(pair);
                    if (m) { out[m[1]] = out[m[1]] || {}; out[m[1]][m[2]] = m[3]; }
                });
                return out;
            }
            """#),
        ScriptCase(
            "a list on a prototype",
            #"""
            function Basket() { }
            Basket.prototype.items = [];
            Basket.prototype.add = function (x) { this.items.push(x); return this.items; };
            function put(x) { return new Basket().add(x); }
            """#),
        ScriptCase(
            "a table on a prototype literal",
            #"""
            function View() { }
            View.prototype = { options: {}, set: function (k, v) { this.options["o" + k] = v; return this; } };
            function show(k, v) { return new View().set(k, v).options; }
            """#),
        ScriptCase(
            "a prototype changed through an instance",
            #"""
            function Row() { }
            function set(v) { var r = new Row(), before = r.v; r.constructor.prototype.v = v; return before; }
            """#),
        ScriptCase(
            "a prototype given up in a call",
            #"""
            function Row() { }
            function set(v) { var before = new Row().v; Row.prototype = { v: v }; return before; }
            """#),
        ScriptCase(
            "an object that inherits from a table",
            #"""
            var base = { list: [] };
            function add(v) { var o = Object.create(base); o.list.push(v); return o.list; }
            """#),
        ScriptCase(
            "an object that inherits from a table by its literal",
            #"""
            const base = { list: [] };
            function add(v) { const o = { __proto__: base }; o.list.push(v); return o.list; }
            """#),
        ScriptCase(
            "an object given a table as its prototype",
            #"""
            var base = { seen: {} };
            function see(v) { var o = {}; Object.setPrototypeOf(o, base); o.seen["s" + v] = true; return o.seen; }
            """#),
        ScriptCase(
            "an inherited setter",
            #"""
            var held, base = { set v(x) { held = x; } };
            function swap(x) { var before = held, o = Object.create(base); o.v = x; return before; }
            """#),
        ScriptCase(
            "a counter of a class",
            #"""
            class Row { constructor() { this.id = ++Row.count; } }
            Row.count = 0;
            function make() { return new Row(); }
            """#),
        ScriptCase(
            "a static field of a class",
            #"""
            class Row { static rows = []; constructor(v) { Row.rows.push(v); } }
            function make(v) { new Row(v); return Row.rows; }
            """#),
        ScriptCase(
            "a static method that writes this",
            #"""
            class Registry { static add(v) { this.list = (this.list || []).concat(v); return this.list; } }
            function add(v) { return Registry.add(v); }
            """#),
        ScriptCase(
            "a static of the parent class",
            #"""
            class Base { static note(v) { const before = Base.last; Base.last = v; return before; } }
            class Child extends Base { static run(v) { return super.note(v); } }
            function swap(v) { return Child.run(v); }
            """#),
        ScriptCase(
            "a counter reached through the constructor",
            #"""
            class Row { constructor() { const c = this.constructor; c.n = (c.n || 0) + 1; this.id = c.n; } }
            function make() { return new Row().id; }
            """#),
        ScriptCase(
            "a counter reached through new.target",
            #"""
            function Row() { new.target.n = (new.target.n || 0) + 1; this.id = new.target.n; }
            function make() { return new Row(); }
            """#),
        ScriptCase(
            "a property of a built-in object",
            #"""
            function seed(v) { var before = Math.seed; Math.seed = v; return before; }
            """#),
        ScriptCase(
            "a built-in function replaced",
            #"""
            function strict() { JSON.parse = function () { return null; }; }
            function read(t) { return JSON.parse(t); }
            """#),
        ScriptCase(
            "a method of Date replaced",
            #"""
            function quiet() { Date.prototype.toJSON = function () { return "x"; }; return new Date(0); }
            """#),
        ScriptCase(
            "a built-in name given away",
            #"""
            function shadow(v) { isNaN = v; return isNaN; }
            """#),
        ScriptCase(
            "a property of an inner function's prototype chain",
            #"""
            function note(v) { function f() { } var before = f.mark; f.__proto__.mark = v; return before; }
            """#),
        ScriptCase(
            "a symbol put on a prototype",
            #"""
            function mark(v) { const s = Symbol.for("m"); const before = [][s]; Array.prototype[s] = v; return before; }
            """#),
        ScriptCase(
            "a literal that holds the key of a prototype",
            #"""
            function both(key, v) { var o = { [key]: {} }; var p = o["__pro" + "to__"]; var before = p.v; p.v = v; return before; }
            """#),
    ]
}
