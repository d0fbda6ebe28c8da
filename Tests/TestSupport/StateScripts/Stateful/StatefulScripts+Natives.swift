/// Programs that keep something between calls in objects of the engine or of the server.
extension StatefulScripts {
    static let natives = [
        ScriptCase(
            "a Java table",
            #"""
            var table = new java.util.Hashtable();
            function put(k, v) { table.put(k, v); }
            function get(k) { return table.get(k); }
            """#),
        ScriptCase(
            "Java properties",
            #"""
            var properties = new java.util.Properties();
            function set(k, v) { properties.setProperty(k, v); }
            function get(k) { return properties.getProperty(k); }
            """#),
        ScriptCase(
            "a Java table behind a local name",
            #"""
            var java_util = java.util, table = new java_util.Hashtable();
            function swap(v) { var t = table, before = t.get("v"); t.put("v", v); return String(before); }
            """#),
        ScriptCase(
            "a map",
            #"""
            const sessions = new Map();
            function login(id, name) { sessions.set(id, name); }
            function who(id) { return sessions.get(id); }
            """#),
        ScriptCase(
            "a map whose values are changed",
            #"""
            const scores = new Map([["a", { n: 0 }]]);
            function score() { scores.forEach(s => { s.n++; }); return scores.get("a").n; }
            """#),
        ScriptCase(
            "a map entry found by a loop",
            #"""
            const scores = new Map([["a", { n: 0 }]]);
            function score() { for (const [, s] of scores) { s.n++; } return scores.get("a"); }
            """#),
        ScriptCase(
            "a set",
            #"""
            const seen = new Set();
            function first(id) { var fresh = !seen.has(id); seen.add(id); return fresh; }
            """#),
        ScriptCase(
            "a weak map with a shared key",
            #"""
            const key = {}, notes = new WeakMap();
            function swap(v) { var before = notes.get(key); notes.set(key, v); return before; }
            """#),
        ScriptCase(
            "a weak set",
            #"""
            const key = {}, used = new WeakSet();
            function first() { var fresh = !used.has(key); used.add(key); return fresh; }
            """#),
        ScriptCase(
            "a date that is moved",
            #"""
            var due = new Date(2020, 0, 1);
            function later(days) { due.setDate(due.getDate() + days); return due.getTime(); }
            """#),
        ScriptCase(
            "a date moved to read it",
            #"""
            var day = new Date(0);
            function format(ms) { var before = day.toISOString(); day.setTime(ms); return before + day.toISOString(); }
            """#),
        ScriptCase(
            "a global pattern that is tested",
            #"""
            var word = /a/g;
            function has(text) { return word.test(text); }
            """#),
        ScriptCase(
            "a global pattern that is run",
            #"""
            var number = /\d+/g;
            function firstNumber(text) { var m = number.exec(text); return m && m[0]; }
            """#),
        ScriptCase(
            "a sticky pattern",
            #"""
            const digit = /\d/y;
            function isDigit(text) { return digit.test(text); }
            """#),
        ScriptCase(
            "a global pattern made by a constructor",
            #"""
            var word = new RegExp("a", "g");
            function has(text) { return word.test(text); }
            """#),
        ScriptCase(
            "a global pattern in a table",
            #"""
            var rules = { word: /a/g };
            function check(text) { var rule = rules["word"]; return rule.test(text); }
            """#),
        ScriptCase(
            "a place set by hand",
            #"""
            var word = /a/;
            function mark(n) { var before = word.lastIndex; word.lastIndex = n; return before; }
            """#),
        ScriptCase(
            "a pattern that is compiled again",
            #"""
            var word = /a/;
            function use(text) { var before = word.source; word.compile(text); return before; }
            """#),
        ScriptCase(
            "the groups of the last match",
            #"""
            function area(phone) { /^\+(\d+) /.test(phone); return RegExp.$1; }
            """#),
        ScriptCase(
            "the last match by its short name",
            #"""
            function last(text) { text.match(/\d+/); return RegExp["$&"]; }
            """#),
        ScriptCase(
            "the text left of the last match",
            #"""
            function before(text) { text.search(/,/); return RegExp.leftContext; }
            """#),
        ScriptCase(
            "the groups of the last match by a local name",
            #"""
            function area(phone) { var R = RegExp; phone.replace(/^\+(\d+) /, ""); return R.$1; }
            """#),
        ScriptCase(
            "the groups of the last match taken apart",
            #"""
            function area(phone) { phone.match(/^\+(\d+) /); const { $1: code } = RegExp; return code; }
            """#),
        ScriptCase(
            "a typed array",
            #"""
            var slots = new Uint8Array(4);
            function use(n) { slots[n & 3]++; return slots[n & 3]; }
            """#),
        ScriptCase(
            "a view of a buffer",
            #"""
            var view = new DataView(new ArrayBuffer(8));
            function swap(n) { var before = view.getInt32(0); view.setInt32(0, n); return before; }
            """#),
        ScriptCase(
            "a second view of a buffer",
            #"""
            var bytes = new Uint8Array(2), part = bytes.subarray(0, 1);
            function swap(n) { var before = bytes[0]; part[0] = n; return before; }
            """#),
        ScriptCase(
            "a filled list",
            #"""
            var flags = [0, 0];
            function raise() { var before = flags.slice(); flags.fill(1); return before; }
            """#),
        ScriptCase(
            "a list moved within itself",
            #"""
            var list = [1, 2, 3];
            function shift() { return list.copyWithin(0, 1).join(); }
            """#),
        ScriptCase(
            "a list cut by splice",
            #"""
            var free = [1, 2, 3];
            function allot(n) { return free.splice(0, n); }
            """#),
        ScriptCase(
            "a generator that is advanced",
            #"""
            function* ids() { let n = 0; while (true) { yield n++; } }
            const id = ids();
            function ticket() { return id.next().value; }
            """#),
        ScriptCase(
            "a generator that a pattern advances",
            #"""
            function* ids() { for (let n = 0; ; n++) { yield n; } }
            const id = { [Symbol.iterator]: () => it }, it = ids();
            it.return = undefined;
            function pair() { const [a, b] = id; return [a, b]; }
            """#),
        ScriptCase(
            "an iterator of a list",
            #"""
            const turns = ["a", "b", "c"][Symbol.iterator]();
            function whose() { for (const t of turns) { return t; } return "nobody"; }
            """#),
        ScriptCase(
            "a spread that uses an iterator up",
            #"""
            const stock = new Set([1, 2, 3]).values();
            function take() { return [...stock]; }
            """#),
        ScriptCase(
            "a value sent into a generator",
            #"""
            function* holder() { let v; while (true) { v = yield v; } }
            const held = holder();
            function swap(v) { return held.next(v).value; }
            """#),
    ]
}
