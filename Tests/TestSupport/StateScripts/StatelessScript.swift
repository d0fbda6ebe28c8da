/// A script without state between calls. Each call returns the same result in a shared scope as in a new one.
package struct StatelessScript: Sendable {
    package let name: String
    package let script: String

    init(_ name: String, _ script: String) {
        self.name = name
        self.script = script
    }

    package static let all = requests + texts + loops + objects

    private static let requests = [
        StatelessScript(
            "a feed of stories",
            #"""
            function getStories(interest) {
                path = getPath(interest);
                var input = { method: "get", returnedContentType: "xml", path: path };
                return WL.Server.invokeHttp(input);
            }
            function getPath(interest) {
                if (interest === undefined || interest === "") { interest = ""; } else { interest = "_" + interest; }
                return "feeds/news" + interest + ".xml";
            }
            """#),
        StatelessScript(
            "rows of an answer changed in place",
            #"""
            function prices(rate) {
                var answer = WL.Server.invokeHttp({ method: "get", path: "/prices" });
                for (var i = 0; i < answer.items.length; i++) {
                    var item = answer.items[i];
                    item.price = item.price * rate;
                    delete item.cost;
                }
                return answer;
            }
            """#),
        StatelessScript(
            "a query string from an object",
            #"""
            function find(query) {
                var parts = [];
                for (var k in query) { parts.push(encodeURIComponent(k) + "=" + encodeURIComponent(query[k])); }
                return WL.Server.invokeHttp({ method: "get", path: "/find?" + parts.join("&") });
            }
            """#),
        StatelessScript(
            "a failure that is reported",
            #"""
            function list() {
                var answer;
                try {
                    answer = WL.Server.invokeHttp({ method: "get", path: "/list" });
                } catch (e) {
                    WL.Logger.error("list: " + e);
                    answer = { isSuccessful: false, errors: [String(e)] };
                } finally {
                    WL.Logger.debug("list done");
                }
                return answer;
            }
            """#),
        StatelessScript(
            "a Java table made for a call",
            #"""
            function parameters(id) {
                var table = new java.util.Hashtable();
                table.put("id", id);
                return { id: String(table.get("id")) };
            }
            """#),
    ]

    private static let texts = [
        StatelessScript(
            "a base64 helper in a constant object",
            #"""
            var Base64 = {
                keys: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=",
                encode: function (text) {
                    var out = [], bits = 0, held = 0;
                    for (var i = 0; i < text.length; i++) {
                        held = (held << 8) | (text.charCodeAt(i) & 255);
                        bits += 8;
                        while (bits >= 6) { bits -= 6; out.push(this.keys.charAt((held >> bits) & 63)); }
                    }
                    if (bits) { out.push(this.keys.charAt((held << (6 - bits)) & 63)); }
                    return out.join("");
                }
            };
            function token(user, password) { return { header: "Basic " + Base64.encode(user + ":" + password) }; }
            """#),
        StatelessScript(
            "a checksum with a table made at load",
            #"""
            var TABLE = (function () {
                var t = [], c, n, k;
                for (n = 0; n < 256; n++) {
                    for (c = n, k = 0; k < 8; k++) { c = c & 1 ? 0xEDB88320 ^ (c >>> 1) : c >>> 1; }
                    t[n] = c;
                }
                return t;
            })();
            function checksum(text) {
                var c = -1;
                for (var i = 0; i < text.length; i++) { c = TABLE[(c ^ text.charCodeAt(i)) & 255] ^ (c >>> 8); }
                return (c ^ -1) >>> 0;
            }
            """#),
        StatelessScript(
            "a formatter of texts",
            #"""
            function sprintf(format) {
                var values = Array.prototype.slice.call(arguments, 1), i = 0;
                return format.replace(/%([sd])/g, function (m, kind) {
                    var v = values[i++];
                    return kind === "d" ? parseInt(v, 10) : String(v);
                });
            }
            function hello(name, n) { return { text: sprintf("%s has %d messages", name, n) }; }
            """#),
        StatelessScript(
            "a date moved within a call",
            #"""
            function dueIn(days) { var d = new Date(); d.setDate(d.getDate() + days); return { due: d.getTime() }; }
            """#),
        StatelessScript(
            "a global pattern made in the call",
            #"""
            function words(text) {
                var word = /\w+/g, m, list = [];
                while ((m = word.exec(text)) !== null) { list.push(m[0]); }
                return { words: list };
            }
            """#),
        StatelessScript(
            "a helper on all strings",
            #"""
            String.prototype.startsWithUpper = function () { return /^[A-Z]/.test(this); };
            function check(name) { return { good: name.startsWithUpper() }; }
            """#),
    ]

    private static let loops = [
        StatelessScript(
            "nested loops over undeclared counters",
            #"""
            function flatten(rows) {
                var out = [];
                for (i = 0; i < rows.length; i++) { for (j = 0; j < rows[i].length; j++) { out.push(rows[i][j]); } }
                return out;
            }
            """#),
        StatelessScript(
            "a temporary given in the trial and in the handler",
            #"""
            var parsed;
            function parse(text) {
                try { parsed = JSON.parse(text); } catch (e) { parsed = { problem: String(e) }; }
                return parsed;
            }
            """#),
        StatelessScript(
            "rows sorted by a chosen key",
            #"""
            function by(key) { return function (a, b) { return a[key] > b[key] ? 1 : a[key] < b[key] ? -1 : 0; }; }
            function sorted(rows, key) { return rows.sort(by(key)); }
            """#),
        StatelessScript(
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
    ]

    private static let objects = [
        StatelessScript(
            "a module made for each call",
            #"""
            function report(lines) {
                var log = (function () { var all = []; return { add: function (l) { all.push(l); }, all: all }; })();
                lines.forEach(function (l) { log.add(l.toUpperCase()); });
                return log.all;
            }
            """#),
        StatelessScript(
            "a class that extends another",
            #"""
            class Shape { constructor(name) { this.name = name; } area() { return 0; } }
            class Square extends Shape {
                constructor(a) { super("square"); this.a = a; }
                area() { return this.a * this.a; }
            }
            function area(a) { const s = new Square(a); return { name: s.name, area: s.area() }; }
            """#),
        StatelessScript(
            "a generator run in the call",
            #"""
            function* range(n) { for (let i = 0; i < n; i++) { yield i; } }
            function list(n) { return [...range(n)]; }
            """#),
        StatelessScript(
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
        StatelessScript(
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
        StatelessScript(
            "a document read by a loop",
            #"""
            var MENU = <menu><dish price="3">soup</dish><dish price="5">fish</dish></menu>;
            function cheap(limit) {
                var names = [];
                for each (var d in MENU.dish) { if (Number(d.@price) < limit) { names.push(String(d)); } }
                return names;
            }
            """#),
        StatelessScript(
            "a copied document that is changed",
            #"""
            var TEMPLATE = <user><name/></user>;
            function user(name) { var doc = TEMPLATE.copy(); doc.name = name; return doc.toXMLString(); }
            """#),
    ]
}
