/// Adapters with loops, sorting and grouping over locals, and with names that serve as temporaries.
extension StatelessScripts {
    static let loops = [
        ScriptCase(
            "an undeclared loop counter",
            #"""
            function sum(list) {
                var total = 0;
                for (i = 0; i < list.length; i++) { total += list[i]; }
                return { total: total };
            }
            """#),
        ScriptCase(
            "an undeclared name in a for-in loop",
            #"""
            function keys(o) {
                var names = [];
                for (k in o) { names.push(k); }
                return names;
            }
            """#),
        ScriptCase(
            "two counters in one assignment",
            #"""
            function count(list) {
                var c1 = c2 = 0;
                for (var i = 0; i < list.length; i++) { if (list[i] > 0) { c1++; } else { c2++; } }
                return { positive: c1, other: c2 };
            }
            """#),
        ScriptCase(
            "nested loops over undeclared counters",
            #"""
            function flatten(rows) {
                var out = [];
                for (i = 0; i < rows.length; i++) { for (j = 0; j < rows[i].length; j++) { out.push(rows[i][j]); } }
                return out;
            }
            """#),
        ScriptCase(
            "an undeclared list filled in the call",
            #"""
            function squares(n) {
                list = [];
                for (var i = 0; i < n; i++) { list.push(i * i); }
                return { list: list };
            }
            """#),
        ScriptCase(
            "a declared temporary of the script",
            #"""
            var answer;
            function list() {
                answer = WL.Server.invokeHttp({ method: "get", path: "/list" });
                answer.count = answer.items.length;
                return answer;
            }
            """#),
        ScriptCase(
            "a temporary given in both arms",
            #"""
            var kind;
            function label(n) {
                if (n > 0) { kind = "credit"; } else { kind = "debit"; }
                return { kind: kind };
            }
            """#),
        ScriptCase(
            "a temporary given by every case",
            #"""
            var rate;
            function price(zone, x) {
                switch (zone) { case 1: rate = 1; break; case 2: rate = 2; break; default: rate = 3; }
                return x * rate;
            }
            """#),
        ScriptCase(
            "a temporary given in the trial and in the handler",
            #"""
            var parsed;
            function parse(text) {
                try { parsed = JSON.parse(text); } catch (e) { parsed = { problem: String(e) }; }
                return parsed;
            }
            """#),
        ScriptCase(
            "a temporary that a callback adds to",
            #"""
            function sum(list) {
                total = 0;
                list.forEach(function (x) { total += x; });
                return { total: total };
            }
            """#),
        ScriptCase(
            "numbers sorted in a local list",
            #"""
            function top(list) {
                var mine = list.slice();
                mine.sort(function (a, b) { return b - a; });
                return mine.slice(0, 3);
            }
            """#),
        ScriptCase(
            "rows sorted by a shared comparison",
            #"""
            function byName(a, b) { return a.name < b.name ? -1 : a.name > b.name ? 1 : 0; }
            function people() {
                var answer = WL.Server.invokeHttp({ method: "get", path: "/people" });
                answer.people.sort(byName);
                return answer;
            }
            """#),
        ScriptCase(
            "rows sorted by a chosen key",
            #"""
            function by(key) { return function (a, b) { return a[key] > b[key] ? 1 : a[key] < b[key] ? -1 : 0; }; }
            function sorted(rows, key) { return rows.sort(by(key)); }
            """#),
        ScriptCase(
            "rows grouped by a number",
            #"""
            function group(rows) {
                var groups = [];
                for (var i = 0; i < rows.length; i++) {
                    var n = rows[i].month | 0;
                    if (!groups[n]) { groups[n] = []; }
                    groups[n].push(rows[i]);
                }
                return { groups: groups };
            }
            """#),
        ScriptCase(
            "rows counted by a prefixed name",
            #"""
            function tally(rows) {
                var counts = {};
                rows.forEach(function (r) { var k = "kind:" + r.kind; counts[k] = (counts[k] || 0) + 1; });
                return counts;
            }
            """#),
        ScriptCase(
            "rows indexed by their id",
            #"""
            function index(rows) {
                var table = {};
                for (var i = 0; i < rows.length; i++) { table["id" + rows[i].id] = rows[i]; }
                return table;
            }
            """#),
        ScriptCase(
            "rows grouped in a map of the call",
            #"""
            function group(rows) {
                const groups = new Map();
                for (const row of rows) {
                    if (!groups.has(row.kind)) { groups.set(row.kind, []); }
                    groups.get(row.kind).push(row);
                }
                return Array.from(groups, ([kind, list]) => ({ kind: kind, list: list }));
            }
            """#),
        ScriptCase(
            "rows grouped by their own names only",
            #"""
            function group(rows) {
                var groups = {};
                rows.forEach(function (r) {
                    if (!Object.prototype.hasOwnProperty.call(groups, r.kind)) { groups[r.kind] = { n: 0 }; }
                    groups[r.kind].n++;
                });
                return groups;
            }
            """#),
        ScriptCase(
            "distinct values",
            #"""
            function distinct(list) {
                return list.filter(function (x, i) { return list.indexOf(x) === i; });
            }
            """#),
        ScriptCase(
            "a page of a list",
            #"""
            function page(list, n, size) {
                var from = (n - 1) * size;
                return { page: n, pages: Math.ceil(list.length / size), rows: list.slice(from, from + size) };
            }
            """#),
        ScriptCase(
            "a grid filled by two loops",
            #"""
            function grid(w, h) {
                var rows = [];
                for (var y = 0; y < h; y++) { rows[y] = []; for (var x = 0; x < w; x++) { rows[y][x] = x * y; } }
                return rows;
            }
            """#),
        ScriptCase(
            "a fold into a fresh object",
            #"""
            function totals(rows) {
                return rows.reduce(function (acc, r) { acc.sum += r.amount; acc.count++; return acc; }, { sum: 0, count: 0 });
            }
            """#),
        ScriptCase(
            "a chain of map and filter",
            #"""
            function names(rows) {
                return rows.filter(r => r.active).map(r => ({ id: r.id, name: `${r.first} ${r.last}` }));
            }
            """#),
        ScriptCase(
            "a queue emptied in the call",
            #"""
            function order(root) {
                var queue = [root], out = [], node;
                while (queue.length) {
                    node = queue.shift();
                    out.push(node.name);
                    (node.children || []).forEach(function (c) { queue.push(c); });
                }
                return out;
            }
            """#),
        ScriptCase(
            "a search left by a label",
            #"""
            function find(rows, x) {
                var at = null;
                outer: for (var i = 0; i < rows.length; i++) {
                    for (var j = 0; j < rows[i].length; j++) { if (rows[i][j] === x) { at = [i, j]; break outer; } }
                }
                return { at: at };
            }
            """#),
    ]
}
