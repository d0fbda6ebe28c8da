/// Programs in which a declaration, a parameter or a handler hides the name that is read.
extension StatefulScripts {
    static let hiding = [
        ScriptCase(
            "an inner variable of the same name",
            #"""
            var path;
            function list(v) {
                function set() { var path = "/" + v; return path; }
                set();
                var before = path;
                path = v;
                return before;
            }
            """#),
        ScriptCase(
            "a handler's variable of the same name",
            #"""
            var error = "";
            function parse(text) {
                try { throw text; } catch (error) { error = "now"; }
                var before = error;
                error = text;
                return before;
            }
            """#),
        ScriptCase(
            "a parameter of the same name",
            #"""
            var unit = "";
            function set(unit) { unit = unit || "m"; return unit; }
            function measure(n) { set("s"); var before = unit; unit = n; return before; }
            """#),
        ScriptCase(
            "a function's own name",
            #"""
            var note = "";
            var write = function note(v) { note = v; };
            function swap(v) { write("x"); var before = note; note = v; return before; }
            """#),
        ScriptCase(
            "a let of a loop",
            #"""
            var i = 0;
            function count(list) { for (let i = 0; i < list.length; i++) { } var n = i; i = list.length; return n; }
            """#),
        ScriptCase(
            "a class of the same name",
            #"""
            var Row = null;
            function swap(v) { { class Row { } new Row(); } var before = Row; Row = v; return before; }
            """#),
        ScriptCase(
            "a declaration in a block of a function",
            #"""
            var help = null;
            function swap(v) { (function () { { function help() { } } help = 1; })(); var before = help; help = v; return before; }
            """#),
        ScriptCase(
            "an assignment in a nested function at load and in a call",
            #"""
            var setLast, last;
            (function () { setLast = function (v) { last = v; }; })();
            function swap(v) { var before = last; setLast(v); return before; }
            """#),
        ScriptCase(
            "an undeclared name in a helper that looks local",
            #"""
            function sum(list) { var i, t = 0; for (i = 0; i < list.length; i++) { t += list[i]; } tally = t; return t; }
            function lastSum() { return typeof tally === "number" ? tally : 0; }
            """#),
        ScriptCase(
            "a chain of assignments that leaks its tail",
            #"""
            function count(list) { var a = b = list.length; return a; }
            function lastCount() { return this.b; }
            """#),
        ScriptCase(
            "a missing comma in a list of variables",
            #"""
            function open(name) {
                var user = { name: name }
                account = user.name;
                return user;
            }
            function close() { return "closed " + account; }
            var account;
            """#),
        ScriptCase(
            "a call that leaves through a function that clients call",
            #"""
            var step = 0;
            function begin() { step = 1; return again(); }
            function again() { return step++; }
            """#),
        ScriptCase(
            "a frozen table of open parts",
            #"""
            const table = Object.freeze({ inner: { n: 0 } });
            function bump() { return ++table.inner.n; }
            """#),
        ScriptCase(
            "a frozen list of open rows",
            #"""
            const rows = Object.freeze([{ n: 0 }]);
            function bump() { rows.forEach(r => { r.n++; }); return rows; }
            """#),
        ScriptCase(
            "a function declared again in a call",
            #"""
            function rate() { return 1; }
            function change(n) { rate = function () { return n; }; }
            function price(x) { return x * rate(); }
            """#),
        ScriptCase(
            "a table emptied and filled",
            #"""
            var table = { a: 1 };
            function reset(v) { var before = table.a; delete table.a; table.a = v; return before; }
            """#),
        ScriptCase(
            "a delete of a row",
            #"""
            var rows = { a: { id: 1 }, b: { id: 2 } };
            function take() { for (var k in rows) { var r = rows[k]; delete rows[k]; return r; } return null; }
            """#),
        ScriptCase(
            "a delete by an alias",
            #"""
            var rows = { a: 1 };
            function drop() { var r = rows; return [delete r.a, "a" in rows, rows]; }
            """#),
        ScriptCase(
            "a name tested on the global object",
            #"""
            function first() { var fresh = !("opened" in this); opened = true; return fresh; }
            """#),
        ScriptCase(
            "a delete of an undeclared name",
            #"""
            function toggle() { if (this.flag) { delete this.flag; return 0; } flag = 1; return 1; }
            """#),
    ]
}
