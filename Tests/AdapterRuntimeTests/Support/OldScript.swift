/// A script as adapters of 2012 have them. Its function `run(text)` returns an object, and may keep `text` for later calls.
struct OldScript: Sendable, CustomStringConvertible {
    let name: String
    let script: String

    var description: String { name }

    private init(_ name: String, _ script: String) {
        self.name = name
        self.script = script
    }

    static let all = classes + namespaces + implicit + declarations + libraries + polyfills

    /// The scripts that change the language, so that each session needs its own realm: the fewest possible.
    static let needingOwnRealm: Set = [
        "a JSON library that defines JSON if it is missing", "adds trim to strings if it is missing",
        "adds functions of its own to arrays", "reads the last match from RegExp",
        "passes the global object to a function that makes globals",
    ]

    private static let classes = [
        OldScript(
            "a class with its own toString",
            #"""
            function Point(x, y) { this.x = x; this.y = y; }
            Point.prototype.toString = function () { return "(" + this.x + ", " + this.y + ")"; };
            Point.prototype.valueOf = function () { return this.x + this.y; };
            function run(text) { var p = new Point(1, 2); return { text: "" + String(p) + text, sum: p + 1, has: Object.keys(p).join() }; }
            """#),
        OldScript(
            "objects with their own toString, constructor and hasOwnProperty",
            #"""
            var order = {};
            order.toString = function () { return "order " + this.id; };
            order.constructor = "none"; order.hasOwnProperty = function () { return "own"; }; order.valueOf = 7;
            function run(text) { order.id = text; return { text: order.toString(), c: order.constructor, h: order.hasOwnProperty("x"), keys: Object.keys(order) }; }
            """#),
        OldScript(
            "a class that replaces its prototype and puts the constructor back",
            #"""
            function Account(owner) { this.owner = owner; }
            Account.prototype = { constructor: Account, name: function () { return this.owner; } };
            function Savings(owner) { Account.call(this, owner); }
            Savings.prototype = new Account();
            Savings.prototype.constructor = Savings;
            Savings.prototype.rate = function () { return 2; };
            function run(text) { var s = new Savings(text); return { n: s.name(), r: s.rate(), is: s instanceof Account, c: s.constructor === Savings }; }
            """#),
        OldScript(
            "an error by prototype",
            #"""
            function ServiceError(code, message) { this.name = "ServiceError"; this.code = code; this.message = message; }
            ServiceError.prototype = new Error();
            ServiceError.prototype.constructor = ServiceError;
            ServiceError.prototype.toString = function () { return this.name + " " + this.code + ": " + this.message; };
            function run(text) {
                try { throw new ServiceError(42, text); }
                catch (e) { return { is: e instanceof Error, own: e instanceof ServiceError, text: String(e), name: e.name }; }
            }
            """#),
        OldScript(
            "an error by Object.create",
            #"""
            function NotFound(what) { Error.call(this); this.message = "no " + what; }
            NotFound.prototype = Object.create(Error.prototype);
            NotFound.prototype.name = "NotFound";
            NotFound.prototype.constructor = NotFound;
            function run(text) { try { throw new NotFound(text); } catch (e) { return { t: e.toString(), m: e.message, i: e instanceof Error }; } }
            """#),
        OldScript(
            "classes by Object.create with descriptors",
            #"""
            var Base = { init: function (n) { this.n = n; return this; }, get twice() { return this.n * 2; } };
            var Derived = Object.create(Base, { name: { value: "derived", enumerable: true }, n: { value: 0, writable: true } });
            Derived.toString = function () { return this.name + this.n; };
            function run(text) { var d = Object.create(Derived).init(21); return { t: String(d), twice: d.twice, is: Base.isPrototypeOf(d), text: text }; }
            """#),
        OldScript(
            "a helper that extends classes",
            #"""
            function extend(child, parent) {
                for (var key in parent) if (Object.prototype.hasOwnProperty.call(parent, key)) child[key] = parent[key];
                function F() { this.constructor = child; }
                F.prototype = parent.prototype;
                child.prototype = new F();
                child.superclass = parent.prototype;
                return child;
            }
            function Shape() { this.kind = "shape"; }
            Shape.create = function () { return new this(); };
            Shape.prototype.area = function () { return 0; };
            function Square() { Shape.call(this); this.side = 3; }
            extend(Square, Shape);
            Square.prototype.area = function () { return this.side * this.side + Square.superclass.area.call(this); };
            function run(text) { var s = Square.create(); return { a: s.area(), k: s.kind, c: s.constructor === Square, text: text }; }
            """#),
        OldScript(
            "a class that works without new",
            #"""
            function Money(amount) { if (!(this instanceof Money)) return new Money(amount); this.amount = amount; }
            Money.prototype.add = function (other) { return Money(this.amount + other.amount); };
            function run(text) { return { sum: Money(1).add(Money(2)).amount, text: text }; }
            """#),
        OldScript(
            "an object that is used as a map, with keys of the language",
            #"""
            var map = {};
            function run(text) {
                ["constructor", "toString", "valueOf", "isPrototypeOf", "a"].forEach(function (key) { map[key] = (map.hasOwnProperty(key) ? map[key] : "") + text; });
                return { keys: Object.keys(map), values: map };
            }
            """#),
    ]

    private static let namespaces = [
        OldScript(
            "this as the namespace",
            #"""
            this.VERSION = "1.0";
            this.greet = function (name) { return "hello " + name + " " + this.VERSION + VERSION; };
            function run(text) { this.last = text; return { g: greet(text), same: this.greet === greet, last: last }; }
            """#),
        OldScript(
            "a namespace that is made step by step",
            #"""
            var acme = acme || {};
            acme.app = acme.app || {};
            acme.app.util = { twice: function (x) { return x + x; }, seen: [] };
            function run(text) { acme.app.util.seen.push(text); return { t: acme.app.util.twice(text), n: acme.app.util.seen.length }; }
            """#),
        OldScript(
            "a module with private state",
            #"""
            var counter = (function () {
                var count = 0, last;
                function bump(text) { count++; last = text; return count; }
                return { next: bump, last: function () { return last; } };
            })();
            function run(text) { var before = counter.last() || null; return { n: counter.next(text), before: before }; }
            """#),
        OldScript(
            "functions that find the global object by this",
            #"""
            function global() { return this; }
            var setting = "a";
            function run(text) {
                var g = global();
                g.setting = text;
                return { setting: setting, type: typeof g.run, has: "setting" in g, json: typeof g.JSON.stringify, made: g.missing === undefined };
            }
            """#),
        OldScript(
            "a procedure that is called by its name",
            #"""
            function add(a) { return "add" + a; }
            function run(text) { return { v: this["add"](text), w: this["ad" + "d"]("x"), t: typeof this["none"] }; }
            """#),
        OldScript(
            "the names of the script's own functions",
            #"""
            var a = 1;
            function run(text) {
                var found = [];
                for (var name in this) if (typeof this[name] === "function" && /^(run|other)$/.test(name)) found.push(name);
                return { found: found.sort(), text: text };
            }
            function other() {}
            """#),
        OldScript(
            "passes the global object to a function that makes globals",
            #"""
            (function (root) { root.helper = function (x) { return x + "!"; }; root.count = 0; })(this);
            function run(text) { count += 1; return { h: helper(text), count: count }; }
            """#),
    ]

    private static let implicit = [
        OldScript(
            "globals that nothing declares, while loading and in functions",
            #"""
            total = 0; prefix = "p";
            function run(text) { total += 1; last = text; return { t: total, l: last, p: prefix, type: typeof later }; }
            """#),
        OldScript(
            "loops whose variables nothing declares",
            #"""
            function run(text) {
                out = [];
                for (i = 0; i < 3; i++) out.push(i);
                for (key in { a: 1, b: 2 }) out.push(key);
                for (item of [7, 8]) out.push(item);
                return { out: out, i: i, key: key, item: item, text: text };
            }
            """#),
        OldScript(
            "assignments of undeclared names in every position",
            #"""
            function run(text) {
                var x = a = b = text;
                [c, d] = [1, 2]; ({ e: f, g = 3 } = { e: 4 });
                h = i = 0; h++; --i; j = k = 2; j += 5; k <<= 2; l = (m = 1, n = 2);
                return { v: [x, a, b, c, d, f, g, h, i, j, k, l, m, n].join() };
            }
            """#),
        OldScript(
            "a typeof test before the first assignment",
            #"""
            function run(text) {
                if (typeof cache === "undefined") { cache = {}; hits = 0; } else hits++;
                cache[text] = true;
                return { hits: hits, keys: Object.keys(cache).length };
            }
            """#),
        OldScript(
            "an undeclared name that was never assigned",
            #"""
            function run(text) { try { return { v: neverAssigned }; } catch (e) { return { name: e.name, is: e instanceof ReferenceError, text: text }; } }
            """#),
    ]

    private static let declarations = [
        OldScript(
            "functions in blocks and conditions",
            #"""
            if (true) { function pick() { return "first"; } } else { function pick() { return "second"; } }
            { function inner() { return "inner"; } }
            function run(text) { return { p: pick(), i: typeof inner, text: text }; }
            """#),
        OldScript(
            "a function that is declared twice, and a variable of its name",
            #"""
            function f() { return 1; }
            var f;
            function f() { return 2; }
            var run = function (text) { return { f: f(), text: text, early: early() }; };
            function early() { return typeof late; }
            var late = 1;
            """#),
        OldScript(
            "variables with names of built-in objects",
            #"""
            var JSON = JSON || {}, Date = Date, Map = { get: function () { return "mine"; } }, name = "n", status = 1, escape = function (x) { return x; };
            function run(text) { return { t: JSON.stringify([text]), m: Map.get(), n: name + status, e: escape("<"), d: typeof Date.now() }; }
            """#),
        OldScript(
            "a function with the name of a built-in one",
            #"""
            function parseFloat(text) { return "parsed " + text; }
            function isNaN() { return "never"; }
            function Set(list) { this.list = list; }
            function run(text) { return { p: parseFloat(text), n: isNaN(NaN), s: new Set([text]).list[0], real: Number("1.5") }; }
            """#),
        OldScript(
            "let, const and a class at the top level",
            #"""
            const LIMIT = 3; let seen = 0;
            class Box { constructor(v) { this.v = v; } static of(v) { return new Box(v); } get() { return this.v; } }
            function run(text) { seen = Math.min(LIMIT, seen + 1); return { seen: seen, v: Box.of(text).get() }; }
            """#),
        OldScript(
            "strict code",
            #"""
            "use strict";
            var state = { last: null };
            function self() { return this === undefined; }
            function run(text) {
                var before = state.last; state.last = text;
                var failed; try { undeclared = 1; failed = false; } catch (e) { failed = e.name; }
                return { before: before, self: self(), failed: failed };
            }
            """#),
        OldScript(
            "directives in functions only, and one without a semicolon",
            #"""
            'a directive that means nothing'
            function strict() { 'use strict'; return typeof this; }
            function sloppy() { return typeof this; }
            function run(text) { return { s: strict(), n: sloppy(), text: text, args: (function () { return arguments.length; })(1, 2) }; }
            """#),
        OldScript(
            "no semicolons",
            """
            var a = 1
            var b = function () { return a }
            a = 2
            ;[1, 2].forEach(function (x) { a += x })
            var run = function (text) { return { a: a, b: b(), text: text } }
            """),
        OldScript(
            "labels, switch, with and comma",
            #"""
            function run(text) {
                var found = [], settings = { colour: "red" };
                outer: for (var i = 0; i < 3; i++) for (var j = 0; j < 3; j++) { if (j === 2) continue outer; if (i === 2) break outer; found.push(i + j); }
                switch (text) { case "a": found.push("A"); break; default: found.push("other"); }
                with (settings) { found.push(colour); }
                return { found: found, v: (1, 2) };
            }
            """#),
    ]

    private static let libraries = [
        OldScript(
            "a JSON library that defines JSON if it is missing",
            #"""
            var JSON; if (!JSON) { JSON = {}; }
            (function () {
                "use strict";
                function f(n) { return n < 10 ? "0" + n : n; }
                if (typeof Date.prototype.toJSON !== "function") {
                    Date.prototype.toJSON = function () { return isFinite(this.valueOf()) ? this.getUTCFullYear() + "-" + f(this.getUTCMonth() + 1) : null; };
                }
                var meta = { "\b": "\\b", "\t": "\\t", "\n": "\\n", "\"": "\\\"", "\\": "\\\\" };
                if (typeof JSON.stringify !== "function") { JSON.stringify = function (value) { return String(value) + meta["\n"]; }; }
                if (typeof JSON.parse !== "function") { JSON.parse = function (text) { throw new SyntaxError("JSON.parse"); }; }
            }());
            function run(text) { return { t: JSON.stringify({ a: [text, new Date(0)] }), p: JSON.parse("[1]")[0] }; }
            """#),
        OldScript(
            "a Base64 library",
            #"""
            var Base64 = {
                _keyStr: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=",
                encode: function (input) {
                    var output = "", chr1, chr2, chr3, enc1, enc2, enc3, enc4, i = 0;
                    input = Base64._utf8_encode(input);
                    while (i < input.length) {
                        chr1 = input.charCodeAt(i++); chr2 = input.charCodeAt(i++); chr3 = input.charCodeAt(i++);
                        enc1 = chr1 >> 2; enc2 = ((chr1 & 3) << 4) | (chr2 >> 4); enc3 = ((chr2 & 15) << 2) | (chr3 >> 6); enc4 = chr3 & 63;
                        if (isNaN(chr2)) { enc3 = enc4 = 64; } else if (isNaN(chr3)) { enc4 = 64; }
                        output = output + this._keyStr.charAt(enc1) + this._keyStr.charAt(enc2) + this._keyStr.charAt(enc3) + this._keyStr.charAt(enc4);
                    }
                    return output;
                },
                _utf8_encode: function (string) {
                    string = string.replace(/\r\n/g, "\n");
                    var utftext = "";
                    for (var n = 0; n < string.length; n++) {
                        var c = string.charCodeAt(n);
                        if (c < 128) { utftext += String.fromCharCode(c); }
                        else if ((c > 127) && (c < 2048)) { utftext += String.fromCharCode((c >> 6) | 192); utftext += String.fromCharCode((c & 63) | 128); }
                        else { utftext += String.fromCharCode((c >> 12) | 224) + String.fromCharCode(((c >> 6) & 63) | 128) + String.fromCharCode((c & 63) | 128); }
                    }
                    return utftext;
                }
            };
            function run(text) { return { e: Base64.encode("user:" + text + "\u00e9\u20ac") }; }
            """#),
        OldScript(
            "a library for dates that formats them",
            #"""
            var DateUtil = (function () {
                var names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
                function pad(n) { return n < 10 ? "0" + n : "" + n; }
                var token = /yyyy|MMM|MM|dd|HH|mm|ss/g;
                return {
                    format: function (date, mask) {
                        var flags = { yyyy: date.getUTCFullYear(), MMM: names[date.getUTCMonth()], MM: pad(date.getUTCMonth() + 1), dd: pad(date.getUTCDate()), HH: pad(date.getUTCHours()), mm: pad(date.getUTCMinutes()), ss: pad(date.getUTCSeconds()) };
                        return mask.replace(token, function ($0) { return $0 in flags ? flags[$0] : $0; });
                    },
                    parse: function (text) { var p = /^(\d+)-(\d+)-(\d+)$/.exec(text); return p ? new Date(Date.UTC(+p[1], p[2] - 1, +p[3])) : null; }
                };
            })();
            function run(text) { var d = DateUtil.parse("2012-04-05"); return { f: DateUtil.format(d, "dd MMM yyyy HH:mm"), iso: d.toISOString(), n: DateUtil.parse(text) }; }
            """#),
        OldScript(
            "a template function",
            #"""
            function template(text, data) { return text.replace(/\{(\w+)\}/g, function (all, name) { return data.hasOwnProperty(name) ? data[name] : all; }); }
            function run(text) { return { t: template("Dear {name}, {missing} {n}", { name: text, n: 3 }) }; }
            """#),
        OldScript(
            "a table of handlers, and a queue",
            #"""
            var handlers = { add: function (a, b) { return a + b; }, concat: function (a, b) { return "" + a + b; } };
            var queue = [], log = new Array();
            function run(text) {
                queue.push({ op: "add", args: [1, 2] }); queue.push({ op: "concat", args: [text, "!"] });
                while (queue.length) { var job = queue.shift(); log[log.length] = handlers[job.op].apply(null, job.args); }
                return { log: log.slice(-2), n: log.length };
            }
            """#),
        OldScript(
            "XML by E4X, and for each",
            #"""
            var doc = <orders><order id="1">a</order><order id="2">b</order></orders>;
            function run(text) {
                var ids = [];
                for each (var order in doc.order) ids.push(order.@id + ":" + order);
                doc.note = text;
                return { ids: ids, n: doc.order.length(), note: doc.note.toString() };
            }
            """#),
        OldScript(
            "generics and toSource of Rhino",
            #"""
            function run(text) {
                return { u: Array.map("ab", function (c) { return c + "1"; }).join(), x: String.trim("  y "), src: ({ a: 1 }).toSource(), text: text };
            }
            """#),
    ]

    private static let polyfills = [
        OldScript(
            "adds trim to strings if it is missing",
            #"""
            if (!String.prototype.trim) { String.prototype.trim = function () { return this.replace(/^\s+|\s+$/g, ""); }; }
            function run(text) { return { t: "  x ".trim() + text }; }
            """#),
        OldScript(
            "adds functions of its own to arrays",
            #"""
            Array.prototype.last = function () { return this[this.length - 1]; };
            function run(text) { return { l: [1, text].last() }; }
            """#),
        OldScript(
            "reads the last match from RegExp",
            #"""
            function run(text) { if (/(\d+)-(\d+)/.test("12-34" + text)) return { a: RegExp.$1, b: RegExp.$2 }; }
            """#),
        OldScript(
            "keeps polyfills in an object of its own",
            #"""
            var Strings = { trim: function (s) { return s.trim ? s.trim() : s.replace(/^\s+|\s+$/g, ""); }, startsWith: function (s, p) { return s.indexOf(p) === 0; } };
            function run(text) { return { t: Strings.trim(" a "), s: Strings.startsWith(text, "a") }; }
            """#),
    ]
}
