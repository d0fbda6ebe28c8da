/// Adapters with helper functions over their own locals.
extension StatelessScripts {
    static let helpers = [
        ScriptCase(
            "a base64 helper",
            #"""
            var ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            function encode(text) {
                var out = "", i = 0, a, b, c;
                while (i < text.length) {
                    a = text.charCodeAt(i++); b = text.charCodeAt(i++); c = text.charCodeAt(i++);
                    out += ALPHABET.charAt(a >> 2) + ALPHABET.charAt(((a & 3) << 4) | (b >> 4));
                    out += isNaN(b) ? "==" : ALPHABET.charAt(((b & 15) << 2) | (c >> 6)) + (isNaN(c) ? "=" : ALPHABET.charAt(c & 63));
                }
                return out;
            }
            """#),
        ScriptCase(
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
        ScriptCase(
            "a digest over local words",
            #"""
            function rotate(x, n) { return (x << n) | (x >>> (32 - n)); }
            function add(a, b) { return (a + b) | 0; }
            function digest(text) {
                var words = [], h = [1732584193, -271733879, -1732584194, 271733878], i;
                for (i = 0; i < text.length; i++) { words[i >> 2] |= text.charCodeAt(i) << ((i % 4) * 8); }
                for (i = 0; i < words.length; i++) { h[i & 3] = add(rotate(h[i & 3], 7), words[i]); }
                return h.map(function (x) { return (x >>> 0).toString(16); }).join("");
            }
            """#),
        ScriptCase(
            "a digest with a table of constants",
            #"""
            var K = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];
            function digest(list) {
                var state = K.slice(0);
                for (var i = 0; i < list.length; i++) { state[i % 4] = (state[i % 4] ^ list[i]) | 0; }
                return state;
            }
            """#),
        ScriptCase(
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
        ScriptCase(
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
        ScriptCase(
            "a date as a text",
            #"""
            function pad(n) { return n < 10 ? "0" + n : "" + n; }
            function format(date) { return date.getFullYear() + "-" + pad(date.getMonth() + 1) + "-" + pad(date.getDate()); }
            function today() { return { date: format(new Date()) }; }
            """#),
        ScriptCase(
            "the names of months",
            #"""
            var MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
            function month(ms) { var d = new Date(ms); return { month: MONTHS[d.getMonth()], day: d.getDate() }; }
            """#),
        ScriptCase(
            "a date moved within a call",
            #"""
            function dueIn(days) { var d = new Date(); d.setDate(d.getDate() + days); return { due: d.getTime() }; }
            """#),
        ScriptCase(
            "a table of texts that is read",
            #"""
            var MESSAGES = { en: { hello: "Hello" }, fr: { hello: "Bonjour" } };
            function hello(language) {
                var texts = MESSAGES[language] || MESSAGES.en;
                return { text: texts.hello };
            }
            """#),
        ScriptCase(
            "a table of limits given back",
            #"""
            var LIMITS = { daily: 500, weekly: 2000 };
            function limits() { return LIMITS; }
            """#),
        ScriptCase(
            "a pattern without a flag",
            #"""
            var MAIL = /^[^@\s]+@[^@\s]+$/;
            function check(mail) { return { valid: MAIL.test(mail) }; }
            """#),
        ScriptCase(
            "a pattern run on a text",
            #"""
            var PHONE = /^\+(\d+) (\d+)$/;
            function parts(phone) { var m = PHONE.exec(phone); return m ? { country: m[1], number: m[2] } : null; }
            """#),
        ScriptCase(
            "a global pattern made in the call",
            #"""
            function words(text) {
                var word = /\w+/g, m, list = [];
                while ((m = word.exec(text)) !== null) { list.push(m[0]); }
                return { words: list };
            }
            """#),
        ScriptCase(
            "a trim for old engines",
            #"""
            if (!String.prototype.trim) {
                String.prototype.trim = function () { return this.replace(/^\s+|\s+$/g, ""); };
            }
            function tidy(text) { return { text: text.trim() }; }
            """#),
        ScriptCase(
            "a helper on all strings",
            #"""
            String.prototype.startsWithUpper = function () { return /^[A-Z]/.test(this); };
            function check(name) { return { good: name.startsWithUpper() }; }
            """#),
        ScriptCase(
            "a strict script",
            #"""
            "use strict";
            function sum(list) {
                var total = 0;
                for (var i = 0; i < list.length; i++) { total += list[i]; }
                return { total: total };
            }
            """#),
        ScriptCase(
            "a factorial",
            #"""
            function factorial(n) { return n < 2 ? 1 : n * factorial(n - 1); }
            function run(n) { return { value: factorial(n) }; }
            """#),
        ScriptCase(
            "a tree walked by recursion",
            #"""
            function depth(node) {
                var deepest = 0;
                (node.children || []).forEach(function (c) { var d = depth(c); if (d > deepest) { deepest = d; } });
                return deepest + 1;
            }
            """#),
        ScriptCase(
            "a tree flattened into a local list",
            #"""
            function collect(node, into) {
                into.push(node.name);
                for (var i = 0; node.children && i < node.children.length; i++) { collect(node.children[i], into); }
                return into;
            }
            function names() { return { names: collect(WL.Server.invokeHttp({ method: "get", path: "/tree" }), []) }; }
            """#),
        ScriptCase(
            "a switch over kinds",
            #"""
            function label(kind) {
                var text;
                switch (kind) {
                case "a": case "b": text = "letter"; break;
                case 1: text = "number"; break;
                default: text = "other";
                }
                return { label: text };
            }
            """#),
        ScriptCase(
            "a module of pure functions",
            #"""
            var Geo = (function () {
                function radians(x) { return x * Math.PI / 180; }
                function distance(a, b) {
                    var x = radians(b.lon - a.lon) * Math.cos(radians((a.lat + b.lat) / 2)), y = radians(b.lat - a.lat);
                    return Math.sqrt(x * x + y * y) * 6371;
                }
                return { distance: distance };
            })();
            function near(a, b) { return { near: Geo.distance(a, b) < 10 }; }
            """#),
        ScriptCase(
            "a namespace of functions",
            #"""
            var App = App || {};
            App.text = {};
            App.text.upper = function (s) { return s.toUpperCase(); };
            function shout(s) { return App.text.upper(s); }
            """#),
    ]
}
