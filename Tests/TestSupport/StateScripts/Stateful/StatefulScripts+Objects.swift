/// Programs that keep something through accessors, conversions, `this` or the global object.
extension StatefulScripts {
    static let objects = [
        ScriptCase(
            "a property of this",
            #"""
            function visit() { this.count = (this.count || 0) + 1; return this.count; }
            """#),
        ScriptCase(
            "a property of a saved this",
            #"""
            var self = this;
            function swap(v) { var before = self.held; self.held = v; return before; }
            """#),
        ScriptCase(
            "a property of globalThis",
            #"""
            function swap(v) { var before = globalThis.held; globalThis.held = v; return before; }
            """#),
        ScriptCase(
            "the global object from a plain function",
            #"""
            function globals() { return (function () { return this; })(); }
            function swap(v) { var g = globals(), before = g["held"]; g["held"] = v; return before; }
            """#),
        ScriptCase(
            "the global object from a call with null",
            #"""
            function root() { return this; }
            function swap(v) { var g = root.call(null), before = g.held; g.held = v; return before; }
            """#),
        ScriptCase(
            "a constructor called without new",
            #"""
            function Row(v) { this.v = v; return this; }
            function swap(x) { var before = this.v; Row(x); return before; }
            """#),
        ScriptCase(
            "a method taken off its object",
            #"""
            var helper = { set: function (v) { this.held = v; }, get: function () { return this.held; } };
            function put(v) { var set = helper.set; set(v); }
            function get() { var g = helper.get; return g(); }
            """#),
        ScriptCase(
            "this inside a callback",
            #"""
            function sum(list) { list.forEach(function (x) { this.total = (this.total || 0) + x; }); return this.total; }
            """#),
        ScriptCase(
            "this inside an arrow function",
            #"""
            function sum(list) { list.map(x => { this.total = (this.total || 0) + x; }); return this.total; }
            """#),
        ScriptCase(
            "a setter of a shared object",
            #"""
            var n = 0;
            var box = { set value(v) { n += v; }, get value() { return n; } };
            function add(v) { box.value = v; return box.value; }
            """#),
        ScriptCase(
            "a getter that counts",
            #"""
            var reads = 0, config = { get url() { reads++; return "/v" + reads; } };
            function list() { return WL.Server.invokeHttp({ method: "get", path: config.url }); }
            """#),
        ScriptCase(
            "a getter made by defineProperty",
            #"""
            var n = 0, config = {};
            Object.defineProperty(config, "next", { get: function () { return n++; } });
            function ticket() { return config.next; }
            """#),
        ScriptCase(
            "a getter made the old way",
            #"""
            var n = 0, config = {};
            config.__defineGetter__("next", function () { return n++; });
            function ticket() { return config["next"]; }
            """#),
        ScriptCase(
            "a getter on the global object",
            #"""
            var hits = 0;
            Object.defineProperty(this, "ticketNumber", { get: function () { return hits++; } });
            function ticket() { return ticketNumber; }
            """#),
        ScriptCase(
            "a setter that a pattern reaches",
            #"""
            var log = [], sink = { set line(v) { log.push(v); } };
            function note(o) { ({ text: sink.line } = o); return log; }
            """#),
        ScriptCase(
            "a toJSON of an answer",
            #"""
            var sent = 0;
            function Row(v) { this.v = v; }
            Row.prototype.toJSON = function () { return { v: this.v, n: sent++ }; };
            function list(v) { return [new Row(v)]; }
            """#),
        ScriptCase(
            "a toJSON of a literal in an answer",
            #"""
            var sent = [];
            function list(v) { return { rows: { toJSON: function () { sent.push(v); return sent; } } }; }
            """#),
        ScriptCase(
            "a getter of an answer",
            #"""
            var sent = 0;
            function list() { return { get n() { return ++sent; } }; }
            """#),
        ScriptCase(
            "an answer that is an accessor made by a helper",
            #"""
            var sent = 0;
            function counted(o) { return Object.defineProperty(o, "n", { enumerable: true, get: () => ++sent }); }
            function list() { return counted({ ok: true }); }
            """#),
        ScriptCase(
            "a toString in a sum of texts",
            #"""
            var used = 0, label = { toString: function () { return "no. " + (++used); } };
            function next() { return "ticket " + label; }
            """#),
        ScriptCase(
            "a valueOf in a comparison",
            #"""
            var asked = 0, limit = { valueOf: function () { return asked++; } };
            function allowed(n) { return limit < n; }
            """#),
        ScriptCase(
            "a conversion by a symbol",
            #"""
            let n = 0;
            const next = { [Symbol.toPrimitive]() { return n++; } };
            function ticket() { return `ticket ${next}`; }
            """#),
        ScriptCase(
            "a toString used as a key",
            #"""
            var n = 0, key = { toString: function () { return "k" + n++; } };
            function pick() { var o = { k0: "first", k1: "second" }; return o[key]; }
            """#),
        ScriptCase(
            "an iterator that counts",
            #"""
            let n = 0;
            const turns = { *[Symbol.iterator]() { yield n++; } };
            function next() { return [...turns][0]; }
            """#),
        ScriptCase(
            "a hasInstance that counts",
            #"""
            let n = 0;
            const Kind = { [Symbol.hasInstance]() { return n++ > 1; } };
            function test(o) { return o instanceof Kind; }
            """#),
        ScriptCase(
            "a length that is read for its effect",
            #"""
            var n = 0, list = { get length() { return n++; } };
            function size() { return Array.prototype.slice.call(list).length; }
            """#),
        ScriptCase(
            "defineProperty in a call",
            #"""
            var config = {};
            function set(v) {
                var before = config.v;
                Object.defineProperty(config, "v", { value: v, configurable: true });
                return before;
            }
            """#),
        ScriptCase(
            "defineProperties in a call",
            #"""
            var config = {};
            function set(v) { Object.defineProperties(config, { v: { value: v } }); return config.v; }
            """#),
        ScriptCase(
            "Object.assign into a table",
            #"""
            var config = {};
            function set(values) { return Object.assign(config, values); }
            """#),
        ScriptCase(
            "Object.assign with a table in first place by apply",
            #"""
            var config = {};
            function set(a, b) { return Object.assign.apply(Object, [config, a, b]); }
            """#),
        ScriptCase(
            "Reflect.set into a table",
            #"""
            var config = {};
            function set(v) { var before = config.v; Reflect.set(config, "v", v); return before; }
            """#),
        ScriptCase(
            "Reflect.apply of a push",
            #"""
            var list = [];
            function add(v) { Reflect.apply(list.push, list, [v]); return list; }
            """#),
        ScriptCase(
            "Reflect.deleteProperty of a row",
            #"""
            const rows = { a: 1 };
            function drop() { return [rows.a, Reflect.deleteProperty(rows, "a")]; }
            """#),
        ScriptCase(
            "a proxy with a trap",
            #"""
            var log = [], config = new Proxy({}, { get: function (t, k) { log.push(String(k)); return log.length; } });
            function read() { return config.anything; }
            """#),
        ScriptCase(
            "a proxy that passes the change on",
            #"""
            var table = {}, front = new Proxy(table, {});
            function set(v) { var before = table.v; front.v = v; return before; }
            """#),
        ScriptCase(
            "a proxy with an effect of in",
            #"""
            var n = 0, gate = new Proxy({}, { has: function () { return n++ > 0; } });
            function open() { return "key" in gate; }
            """#),
        ScriptCase(
            "a table frozen by a call",
            #"""
            var table = { v: 1 };
            function lock() { Object.freeze(table); }
            function locked() { return Object.isFrozen(table); }
            """#),
        ScriptCase(
            "a table closed by a call",
            #"""
            const list = [];
            function close() { var was = Object.isExtensible(list); Object.preventExtensions(list); return was; }
            """#),
        ScriptCase(
            "a new prototype for a table",
            #"""
            var config = {};
            function base(o) { var before = config.v; Object.setPrototypeOf(config, o); return before; }
            """#),
        ScriptCase(
            "a new prototype by its property",
            #"""
            var config = {};
            function base(o) { var before = config.v; config.__proto__ = o; return before; }
            """#),
        ScriptCase(
            "an increment of a property by a computed name",
            #"""
            var counts = {};
            function hit(page) { var k = "p:" + page; counts[k] = -~counts[k]; return counts[k]; }
            """#),
        ScriptCase(
            "a compound assignment to an element",
            #"""
            var flags = [0];
            function set(bit) { return flags[0] |= bit; }
            """#),
        ScriptCase(
            "a method whose name is chosen",
            #"""
            var list = [];
            function edit(v) { var verb = ["pu", "sh"].join(""); list[verb](v); return list; }
            """#),
        ScriptCase(
            "a method read by a pattern",
            #"""
            var list = [];
            const { push } = list;
            function add(v) { push.call(list, v); return list; }
            """#),
    ]
}
