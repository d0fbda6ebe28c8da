/// Programs that keep something through rarer parts of the language.
extension StatefulScripts {
    static let language = [
        ScriptCase(
            "a with block",
            #"""
            var table = { v: null };
            function swap(x) { var before = table.v; with (table) { v = x; } return before; }
            """#),
        ScriptCase(
            "a with block around a local",
            #"""
            function swap(x) { var o = {}, before = this.v; with (o) { v = x; } return before; }
            """#),
        ScriptCase(
            "a with block that pushes",
            #"""
            var table = { list: [] };
            function add(x) { with (table) { list.push(x); } return table.list; }
            """#),
        ScriptCase(
            "arguments that are parameters",
            #"""
            var shared = { v: null };
            function fill(a, v) { a = shared; arguments[0].v = arguments[0].v || v; return a; }
            """#),
        ScriptCase(
            "a parameter changed through arguments",
            #"""
            var shared = { v: null };
            function fill(a, v) { arguments[0] = shared; a.v = a.v || v; return a; }
            """#),
        ScriptCase(
            "the caller's arguments",
            #"""
            function inner(v) { inner.caller.held = inner.caller.held || v; return inner.caller.held; }
            function put(v) { return inner(v); }
            """#),
        ScriptCase(
            "a rest pattern of a shared object",
            #"""
            const base = { a: 1, parts: [] };
            function add(v) { const { a, ...rest } = base; rest.parts.push(v); return rest; }
            """#),
        ScriptCase(
            "a rest pattern of a shared list",
            #"""
            const base = ["x", []];
            function add(v) { const [x, ...rest] = base; rest[0].push(v); return rest; }
            """#),
        ScriptCase(
            "a computed method of a shared object",
            #"""
            const box = { n: 0, ["next"]() { return this.n++; } };
            function ticket() { return box.next(); }
            """#),
        ScriptCase(
            "a super call into a shared object",
            #"""
            const parent = { n: 0, next() { return ++parent.n; } };
            const child = { __proto__: parent, next() { return super.next(); } };
            function ticket() { return child.next(); }
            """#),
        ScriptCase(
            "a super assignment that lands on this",
            #"""
            const parent = {}, child = { __proto__: parent, set(v) { super.v = v; }, v: null };
            function swap(v) { const before = child.v; child.set(v); return before; }
            """#),
        ScriptCase(
            "a tag that writes",
            #"""
            const log = [];
            const note = (parts, ...values) => { log.push(values); return log; };
            function visit(v) { return note`visit ${v}`; }
            """#),
        ScriptCase(
            "a tag that is a method",
            #"""
            const log = { lines: [], note(parts, v) { this.lines.push(v); return this.lines; } };
            function visit(v) { return log.note`visit ${v}`; }
            """#),
        ScriptCase(
            "a new without parentheses",
            #"""
            var n = 0;
            function Ticket() { this.n = n++; }
            function next() { return new Ticket; }
            """#),
        ScriptCase(
            "a constructor that gives a shared object back",
            #"""
            var only = { v: null };
            function Row() { return only; }
            function put(v) { var r = new Row(); r.v = r.v || v; return r; }
            """#),
        ScriptCase(
            "a void around a change",
            #"""
            var n = 0;
            function next() { void n++; return n; }
            """#),
        ScriptCase(
            "a change inside an index",
            #"""
            var n = 0;
            function turn() { return ["a", "b", "c"][n++ % 3]; }
            """#),
        ScriptCase(
            "a change inside a template",
            #"""
            let n = 0;
            function turn() { return `turn ${n++}`; }
            """#),
        ScriptCase(
            "a change inside a computed key",
            #"""
            let n = 0;
            function turn() { return { [`k${n++}`]: true }; }
            """#),
        ScriptCase(
            "a change inside a loop's head",
            #"""
            var n = 0;
            function turn() { for (var i = n++; i < 3; i++) { return i; } return -1; }
            """#),
        ScriptCase(
            "a change inside a class's head",
            #"""
            let n = 0;
            const count = () => { n++; return Object; };
            function turn() { class A extends count() { } return n; }
            """#),
        ScriptCase(
            "a change inside a class's key",
            #"""
            let n = 0;
            function turn() { class A { [n++]() { } } return n; }
            """#),
        ScriptCase(
            "a change inside a pattern's key",
            #"""
            let n = 0;
            function turn(list) { const { [n++]: x } = list; return x; }
            """#),
        ScriptCase(
            "a getter of a local class",
            #"""
            let n = 0;
            function turn() { class A { get n() { return n++; } } return new A().n; }
            """#),
        ScriptCase(
            "a change in a conditional chain",
            #"""
            var n = 0;
            function turn() { return n ? (n--, "off") : (n++, "on"); }
            """#),
        ScriptCase(
            "a function called by its name in a table",
            #"""
            var n = 0, actions = { next: function () { return n++; }, peek: function () { return n; } };
            function run(name) { return actions[name](); }
            """#),
        ScriptCase(
            "a function found on the global object",
            #"""
            var n = 0;
            function bump() { return n++; }
            function run() { return this["bump"](); }
            """#),
        ScriptCase(
            "an eval of a text",
            #"""
            var n = 0;
            function run() { return eval("n++"); }
            """#),
        ScriptCase(
            "an eval under another name",
            #"""
            var n = 0, e = eval;
            function run(text) { return e(text); }
            """#),
        ScriptCase(
            "a function made of a text",
            #"""
            var n = 0;
            function run() { return new Function("return n++")(); }
            """#),
        ScriptCase(
            "a function made by a function's constructor",
            #"""
            var n = 0;
            function run() { return (function () { }).constructor("return n++")(); }
            """#),
        ScriptCase(
            "an async function",
            #"""
            let n = 0;
            async function bump() { n++; }
            function run() { bump(); return n; }
            """#),
        ScriptCase(
            "a label that is a name",
            #"""
            var n = 0;
            function run() { n: for (;;) { n++; break n; } return n; }
            """#),
        ScriptCase(
            "a name written with an escape",
            #"""
            var n = 0;
            function run() { return \u006e++; }
            """#),
        ScriptCase(
            "a property written with an escape",
            #"""
            var box = { n: 0 };
            function run() { return box.\u006e++; }
            """#),
        ScriptCase(
            "a comment of the old kind",
            #"""
            var n = 0;
            function run() {
                <!-- n = 0;
                return n++;
            }
            """#),
        ScriptCase(
            "a division that is not a pattern",
            #"""
            var n = 4, g = 2;
            function run(x) { return x /n++/g; }
            """#),
        ScriptCase(
            "a line end before an increment",
            #"""
            var n = 0;
            function run() { var x = 1
                ++n
                return n; }
            """#),
    ]
}
