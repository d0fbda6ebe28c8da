import AdapterSyntax
import Foundation

/// What of Java works: small stand-ins in JavaScript for the members of `JavaLibrary`.
enum JavaStandIns {
    /// A function of the native hooks that returns the members by their paths, such as `java.util.Properties`.
    static let script = """
        (function (hooks) {
            "use strict";
            \(helpers)
            return { __proto__: null, \(members) };
        })
        """

    private static let members = JavaLibrary.Member.allCases
        .map { "\"\($0.rawValue)\": \(expression(of: $0))" }.joined(separator: ", ")

    private static func expression(of member: JavaLibrary.Member) -> String {
        switch member {
        case .println: "hooks.println"
        case .currentTimeMillis: "Date.now"
        case .currentThread: "currentThread"
        case .properties, .hashtable: "table(\"\(member.rawValue)\")"
        case .encodeURL: "encode"
        case .decodeURL: "decode"
        case .toFormattedString, .toFormattedStringOfIntegration: "formatted"
        }
    }

    private static let helpers = #"""
        // Kept, since a script may replace it.
        var stringify = JSON.stringify;
        function formatted(object) { return stringify(object, null, 4); }

        function isUTF8(charset) { return charset == null || /^utf-?8$/i.test(charset); }

        // As an HTML form does it.
        function encode(text, charset) {
            if (!isUTF8(charset)) return hooks.unavailable("java.net.URLEncoder.encode to " + charset);
            return encodeURIComponent(text).replace(/%20/g, "+").replace(/[!'()~]/g, function (sign) {
                return "%" + sign.charCodeAt(0).toString(16).toUpperCase();
            });
        }

        function decode(text, charset) {
            if (!isUTF8(charset)) return hooks.unavailable("java.net.URLDecoder.decode from " + charset);
            return decodeURIComponent(String(text).replace(/\+/g, " "));
        }

        // The thread's own number is a part of its name.
        function currentThread() {
            var name = hooks.thread();
            var number = /\d+$/.exec(name);
            return {
                getId: function () { return number ? +number[0] : 1; },
                getName: function () { return name; },
                toString: function () { return "Thread[" + name + "]"; }
            };
        }

        // A class of Java's for keys and values.
        function table(path) {
            function Table(source) {
                if (!(this instanceof Table)) return new Table(source);
                var entries = new Map();
                function define(name, value) { Object.defineProperty(this, name, { value: value }); }
                function old(key) { return entries.has(key) ? entries.get(key) : null; }
                function put(key, value) {
                    var before = old(key);
                    entries.set(key, value);
                    return before;
                }
                var methods = {
                    put: put,
                    setProperty: put,
                    putAll: function (other) { other.forEachEntry(put); },
                    get: old,
                    getProperty: function (key, standard) {
                        return entries.has(key) ? entries.get(key) : standard === undefined ? null : standard;
                    },
                    containsKey: function (key) { return entries.has(key); },
                    containsValue: function (value) { return Array.from(entries.values()).indexOf(value) >= 0; },
                    remove: function (key) {
                        var before = old(key);
                        entries.delete(key);
                        return before;
                    },
                    clear: function () { entries.clear(); },
                    size: function () { return entries.size; },
                    isEmpty: function () { return entries.size === 0; },
                    forEachEntry: function (body) { entries.forEach(function (value, key) { body(key, value); }); },
                    toString: function () {
                        return "{" + Array.from(entries, function (entry) { return entry[0] + "=" + entry[1]; }).join(", ") + "}";
                    },
                    toJSON: function () {
                        var object = {};
                        entries.forEach(function (value, key) { object[key] = value; });
                        return object;
                    }
                };
                Object.keys(methods).forEach(function (name) { define.call(this, name, methods[name]); }, this);
                if (source && source.forEachEntry) source.forEachEntry(put);
            }
            Object.defineProperty(Table, "toString", { value: function () { return "[Java " + path + "]"; } });
            return Table;
        }
        """#

    /// The name of the calling thread, such as `js-3`; each virtual machine has one of its own.
    static var threadName: String {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return name?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "js"
    }
}
