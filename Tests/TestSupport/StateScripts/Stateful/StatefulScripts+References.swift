/// Programs that keep something between calls through longer ways to it.
extension StatefulScripts {
    static let references = [
        ScriptCase(
            "a push borrowed from the prototype",
            #"""
            var shared = [];
            function add(x) { Array.prototype.push.call(shared, x); return shared; }
            """#),
        ScriptCase(
            "a push borrowed from an empty array",
            #"""
            var shared = [];
            function addAll(list) { [].push.apply(shared, list); return shared.length; }
            """#),
        ScriptCase(
            "a call of a call",
            #"""
            var shared = [];
            function add(x) { Function.prototype.call.call(shared.push, shared, x); return shared; }
            """#),
        ScriptCase(
            "a push bound at load",
            #"""
            var shared = [];
            var add = shared.push.bind(shared);
            function put(x) { return add(x); }
            """#),
        ScriptCase(
            "a method that changes its owner",
            #"""
            var basket = { items: [], add: function (x) { this.items.push(x); return this.items; } };
            function put(x) { return basket.add(x); }
            """#),
        ScriptCase(
            "a method called on another owner",
            #"""
            var basket = { items: [] };
            function add(x) { this.items.push(x); return this; }
            function put(x) { return add.call(basket, x).items; }
            """#),
        ScriptCase(
            "a helper called with apply",
            #"""
            var box = {};
            function fill(target, value) { target.value = target.value || value; return target; }
            function put(value) { return fill.apply(null, [box, value]); }
            """#),
        ScriptCase(
            "a rest parameter",
            #"""
            const left = [];
            function spread(x, ...targets) { targets.forEach(t => t.push(x)); return targets; }
            function put(x) { return spread(x, left, []); }
            """#),
        ScriptCase(
            "two names given at load",
            #"""
            var first = {};
            var second = first;
            function put(v) { second.v = v; }
            function get() { return first.v; }
            """#),
        ScriptCase(
            "a table put in a local and found again later",
            #"""
            var history = [];
            function run(step) {
                var job = {};
                job.log = history;
                job.step = step;
                return finish(job);
            }
            function finish(job) { job.log.push(job.step); return job; }
            """#),
        ScriptCase(
            "a chain walked to its end",
            #"""
            var head = { value: 0, next: null };
            function append(value) {
                var node = head;
                while (node.next) { node = node.next; }
                node.next = { value: value, next: null };
                return head;
            }
            """#),
        ScriptCase(
            "a row of a grid",
            #"""
            var grid = [[0, 0], [0, 0]];
            function mark(x, y) {
                var row = grid[y % 2];
                row[x % 2] = 1;
                return grid;
            }
            """#),
        ScriptCase(
            "a constructor that keeps a given list",
            #"""
            var items = [];
            function Basket(list) { this.list = list; }
            Basket.prototype.add = function (x) { this.list.push(x); return this.list; };
            function put(x) { return new Basket(items).add(x); }
            """#),
        ScriptCase(
            "a swap by destructuring",
            #"""
            var pair = ["a", "b"];
            function swap() { [pair[0], pair[1]] = [pair[1], pair[0]]; return pair; }
            """#),
        ScriptCase(
            "a pattern that assigns into a table",
            #"""
            var last = {};
            function note(input) { ({ id: last.id, name: last.name = last.name } = input); return last; }
            """#),
        ScriptCase(
            "a for-in loop whose variable is a property",
            #"""
            var cursor = { key: "" };
            function keys(o) {
                var before = cursor.key;
                for (cursor.key in o) { WL.Logger.debug(cursor.key); }
                return before;
            }
            """#),
        ScriptCase(
            "a for-of loop whose variable is an element",
            #"""
            var slot = [null];
            function each(list) {
                var before = slot[0];
                for (slot[0] of list) { WL.Logger.debug(slot[0]); }
                return before;
            }
            """#),
        ScriptCase(
            "a mapped list of the same rows",
            #"""
            var templates = [{ text: "Hello" }];
            function greet(name) {
                var mine = templates.map(function (t) { return t; });
                mine[0].text += " " + name;
                return mine;
            }
            """#),
        ScriptCase(
            "a list copied by Array.from",
            #"""
            var templates = [{ text: "" }];
            function fill(text) {
                var before = templates[0].text;
                Array.from(templates)[0].text = text;
                return before;
            }
            """#),
        ScriptCase(
            "a tree changed by recursion",
            #"""
            var tree = { n: 0, children: [{ n: 0, children: [] }] };
            function bump(node) { node.n++; node.children.forEach(bump); return node; }
            function visit() { return bump(tree); }
            """#),
        ScriptCase(
            "a callback given to a helper",
            #"""
            var rows = [{ done: false }];
            function each(fn) { for (var i = 0; i < rows.length; i++) { fn(rows[i]); } }
            function finish() { var before = rows[0].done; each(function (r) { r.done = true; }); return before; }
            """#),
        ScriptCase(
            "a comparison function that counts",
            #"""
            var stats = { compared: 0 };
            function sorted(list) {
                list.sort(function (a, b) { stats.compared++; return a - b; });
                return { list: list, compared: stats.compared };
            }
            """#),
        ScriptCase(
            "a replacement function that collects",
            #"""
            var words = [];
            function mask(text) {
                text.replace(/\w+/, function (w) { words.push(w); return "*"; });
                return words;
            }
            """#),
        ScriptCase(
            "a back-end answer that is given a shared list",
            #"""
            var extra = [];
            function list(name) {
                var response = WL.Server.invokeHttp({ method: "get", path: "/list" });
                response.extra = extra;
                response.extra.push(name);
                return response;
            }
            """#),
        ScriptCase(
            "a table chosen by a switch",
            #"""
            var a = {}, b = {};
            function put(kind, v) {
                var t;
                switch (kind) { case 1: t = a; break; default: t = b; }
                t.v = t.v || v;
                return t.v;
            }
            """#),
        ScriptCase(
            "a table chosen by its name",
            #"""
            var tables = { read: {}, write: {} };
            function put(v) { var name = "wr" + "ite", t = tables[name]; t.v = t.v || v; return t.v; }
            """#),
        ScriptCase(
            "a table given back by an inner function",
            #"""
            var table = { n: 0 };
            function next() {
                function pick() { return table; }
                var p = pick();
                return ++p.n;
            }
            """#),
        ScriptCase(
            "an arrow function that assigns",
            #"""
            let last = null;
            const keep = v => last = v;
            function put(v) { var before = last; keep(v); return before; }
            """#),
        ScriptCase(
            "a client's list put into a table",
            #"""
            var current = { list: [] };
            function open(list) { var before = current.list; current.list = list; return before; }
            """#),
        ScriptCase(
            "an element taken out of a list",
            #"""
            var tickets = ["a", "b", "c"];
            function draw() { return tickets.pop(); }
            """#),
        ScriptCase(
            "a list cleared by its length",
            #"""
            var open = [1, 2, 3];
            function close() { var n = open.length; open.length = 0; return n; }
            """#),
        ScriptCase(
            "a local that names the table only on the second turn",
            #"""
            var table = {};
            function put(v) {
                var t = {};
                for (var i = 0; i < 2; i++) { t.v = t.v || v; t = table; }
                return table.v;
            }
            """#),
        ScriptCase(
            "a local that is named before the change in a loop",
            #"""
            var total = { n: 0 };
            function count(list) {
                var a = {}, b = total;
                for (var i = 0; i < list.length; i++) { a.n = (a.n || 0) + 1; a = b; }
                return total.n;
            }
            """#),
        ScriptCase(
            "a table reached through a parent link",
            #"""
            var root = { count: 0, child: {} };
            root.child.parent = root;
            function visit(n) { var c = root.child; c.parent.count++; return n + root.count; }
            """#),
        ScriptCase(
            "a property of a helper's answer to a client's object",
            #"""
            var limits = { max: 10 };
            function attach(o) { o.limits = limits; return o; }
            function change(o, max) { var r = attach(o); r.limits.max = max; return limits.max; }
            function read() { return limits; }
            """#),
    ]
}
