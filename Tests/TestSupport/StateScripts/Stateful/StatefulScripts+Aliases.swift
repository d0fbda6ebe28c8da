/// Programs that keep something between calls through another name for it.
extension StatefulScripts {
    static let aliases = [
        ScriptCase(
            "a local name for a table",
            #"""
            var table = {};
            function put(k, v) { var t = table; t["k" + k] = v; }
            function get(k) { return table["k" + k]; }
            """#),
        ScriptCase(
            "a table handed out by a helper",
            #"""
            var settings = { colour: "blue" };
            function current() { return settings; }
            function paint(colour) { current().colour = colour; }
            function read() { return current(); }
            """#),
        ScriptCase(
            "a helper that changes its parameter",
            #"""
            var defaults = { headers: {} };
            function withToken(options, token) { if (token) { options.headers.token = token; } return options; }
            function call(token) { return withToken(defaults, token); }
            """#),
        ScriptCase(
            "defaults taken when nothing is given",
            #"""
            var defaults = { page: 1 };
            function search(given, text) {
                var options = given || defaults;
                options.text = text || options.text;
                return options;
            }
            """#),
        ScriptCase(
            "one of two tables by a condition",
            #"""
            var small = { rows: [] }, large = { rows: [] };
            function add(n) {
                var target = n < 10 ? small : large;
                target.rows.push(n);
                return target.rows.length;
            }
            """#),
        ScriptCase(
            "a table inside a fresh literal",
            #"""
            var seen = [];
            function visit(id) {
                var context = { request: { log: seen } };
                context.request.log.push(id);
                return context;
            }
            """#),
        ScriptCase(
            "a table inside a fresh array",
            #"""
            var last = {};
            function remember(name) {
                var pair = [name, last], before = last.name;
                pair[1].name = pair[0];
                return before;
            }
            """#),
        ScriptCase(
            "the first of the arguments",
            #"""
            var profile = {};
            function fill() { arguments[0].name = arguments[1]; return arguments[0]; }
            function save(name) { return fill(profile, name); }
            function load() { return profile; }
            """#),
        ScriptCase(
            "rows found by for-in",
            #"""
            var offices = { north: { hits: 0 }, south: { hits: 0 } };
            function hit() {
                for (var k in offices) { var office = offices[k]; office.hits++; }
                return offices;
            }
            """#),
        ScriptCase(
            "rows found by for-of",
            #"""
            const queues = [{ waiting: 0 }, { waiting: 0 }];
            function enter() {
                for (const queue of queues) { queue.waiting += 1; }
                return queues;
            }
            """#),
        ScriptCase(
            "rows taken apart by a for-of pattern",
            #"""
            const branches = [{ info: { visits: 0 } }];
            function visit() {
                for (const { info } of branches) { info.visits += 1; }
                return branches;
            }
            """#),
        ScriptCase(
            "a destructured parameter",
            #"""
            const state = { user: { name: "nobody" } };
            function rename({ user }, name) { user.name = name; }
            function enter(name) { var before = state.user.name; rename(state, name); return before; }
            """#),
        ScriptCase(
            "an array pattern",
            #"""
            var pools = [[], []];
            function join(name) {
                var [first] = pools;
                first.push(name);
                return first;
            }
            """#),
        ScriptCase(
            "a nested pattern with a default",
            #"""
            const store = { cart: { items: [] } };
            function add(item) {
                const { cart: { items = [] } = {} } = store;
                items.push(item);
                return items;
            }
            """#),
        ScriptCase(
            "a callback changes each row",
            #"""
            var rates = [{ value: 1 }, { value: 2 }];
            function raise(by) {
                rates.forEach(function (rate) { rate.value += by; });
                return rates;
            }
            """#),
        ScriptCase(
            "a filtered list holds the same rows",
            #"""
            var users = [{ id: 1, note: "" }, { id: 2, note: "" }];
            function annotate(id, note) {
                var found = users.filter(function (u) { return u.id === id; });
                if (found.length) { found[0].note = note; }
                return users;
            }
            """#),
        ScriptCase(
            "a sliced list holds the same rows",
            #"""
            var menu = [{ title: "Home" }];
            function title(text) {
                var copy = menu.slice();
                var before = copy[0].title;
                copy[0].title = text;
                return before;
            }
            """#),
        ScriptCase(
            "a joined list holds the same rows",
            #"""
            var fixed = [{ label: "a" }];
            function merge(extra) {
                var all = fixed.concat(extra);
                all.forEach(function (row, i) { row.label = row.label + i; });
                return all;
            }
            """#),
        ScriptCase(
            "a spread list holds the same rows",
            #"""
            const fixed = [{ count: 0 }];
            function list(more) {
                const all = [...fixed, ...more];
                all.forEach(row => { row.count = (row.count || 0) + 1; });
                return all;
            }
            """#),
        ScriptCase(
            "a spread object holds the same parts",
            #"""
            const base = { headers: {} };
            function request(token) {
                const options = { ...base };
                if (token) { options.headers.token = token; }
                return options;
            }
            """#),
        ScriptCase(
            "a shallow copy made by Object.assign",
            #"""
            var base = { headers: {} };
            function request(token) {
                var options = Object.assign({}, base);
                if (token) { options.headers.token = token; }
                return options;
            }
            """#),
        ScriptCase(
            "a shallow copy made by a loop",
            #"""
            var base = { tags: [] };
            function copy(o) { var r = {}; for (var k in o) { r[k] = o[k]; } return r; }
            function tag(name) { var mine = copy(base); mine.tags.push(name); return mine; }
            """#),
        ScriptCase(
            "a sort gives the shared list back",
            #"""
            var names = ["b", "a"];
            function list(name) {
                var sorted = names.sort();
                sorted.push(name);
                return names;
            }
            """#),
        ScriptCase(
            "a sort that looks like a reading",
            #"""
            var ranks = [3, 1, 2];
            function first() { return ranks[0]; }
            function smallest() { return ranks.sort()[0]; }
            """#),
        ScriptCase(
            "a reversed list is the list itself",
            #"""
            var days = ["mon", "tue"];
            function latest() { return days.reverse(); }
            """#),
        ScriptCase(
            "a comma before the table",
            #"""
            var log = [];
            function note(text) {
                var target = (text = String(text), log);
                target.push(text);
                return target.length;
            }
            """#),
        ScriptCase(
            "an and before the table",
            #"""
            var cache = {};
            function remember(flag, value) {
                var where = flag && cache;
                if (where) { where.value = value; }
                return cache.value;
            }
            """#),
        ScriptCase(
            "a table that is thrown and caught",
            #"""
            var failure = { times: 0 };
            function attempt(n) {
                try { if (n < 0) { throw failure; } return n; } catch (e) { e.times++; return e; }
            }
            """#),
        ScriptCase(
            "a default parameter that names a table",
            #"""
            var shared = { items: [] };
            function add(item, into = shared) {
                into.items.push(item);
                return into;
            }
            """#),
        ScriptCase(
            "a fold into a shared total",
            #"""
            var totals = { sum: 0 };
            function addAll(rows) {
                return rows.reduce(function (acc, row) { acc.sum += row; return acc; }, totals);
            }
            """#),
        ScriptCase(
            "the values of a table",
            #"""
            var rooms = { blue: { guest: null } };
            function checkIn(guest) {
                var before = rooms.blue.guest;
                Object.values(rooms)[0].guest = guest;
                return before;
            }
            """#),
        ScriptCase(
            "the first match in a list",
            #"""
            var seats = [{ taken: false, by: "" }, { taken: false, by: "" }];
            function take(who) {
                var seat = seats.find(function (s) { return !s.taken; });
                if (seat) { seat.taken = true; seat.by = who; }
                return seats;
            }
            """#),
    ]
}
