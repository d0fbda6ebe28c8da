// Returns stand-ins for the members of JavaLibrary.swift by their paths, such as `java.util.Properties`.
//
// A script may replace the language's own objects and functions, so those that run later are kept here. Nothing is called as a method,
// except on objects that no script can reach.
(function (hooks) {
    "use strict";
    var apply = Reflect.apply, define = Object.defineProperty, string = String;
    var encodeText = encodeURIComponent, decodeText = decodeURIComponent;
    var search = RegExp.prototype.exec;
    var Entries = Map, entriesOf = Map.prototype, size = Object.getOwnPropertyDescriptor(entriesOf, "size").get;
    var has = entriesOf.has, get = entriesOf.get, set = entriesOf.set, remove = entriesOf.delete;
    var clear = entriesOf.clear, each = entriesOf.forEach;

    function isUTF8(charset) { return charset == null || apply(search, /^utf-?8$/i, [charset]) !== null; }

    // As an HTML form does it.
    var formSigns = { __proto__: null, "!": "%21", "'": "%27", "(": "%28", ")": "%29", "~": "%7E" };
    function encode(text, charset) {
        if (!isUTF8(charset)) return hooks.unavailable("java.net.URLEncoder.encode to " + charset);
        var encoded = encodeText(text), result = "";
        for (var i = 0; i < encoded.length; i++) {
            if (encoded[i] === "%" && encoded[i + 1] === "2" && encoded[i + 2] === "0") {
                result += "+";
                i += 2;
            } else {
                result += formSigns[encoded[i]] || encoded[i];
            }
        }
        return result;
    }

    function decode(text, charset) {
        if (!isUTF8(charset)) return hooks.unavailable("java.net.URLDecoder.decode from " + charset);
        var encoded = string(text), result = "";
        for (var i = 0; i < encoded.length; i++) result += encoded[i] === "+" ? "%20" : encoded[i];
        return decodeText(result);
    }

    // The thread's own number is a part of its name.
    function currentThread() {
        var name = hooks.thread();
        var number = apply(search, /\d+$/, [name]);
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
            var entries = new Entries();
            function contains(key) { return apply(has, entries, [key]); }
            function old(key) { return contains(key) ? apply(get, entries, [key]) : null; }
            function count() { return apply(size, entries, []); }
            function forEach(body) { apply(each, entries, [function (value, key) { body(key, value); }]); }
            function put(key, value) {
                var before = old(key);
                apply(set, entries, [key, value]);
                return before;
            }
            var methods = {
                __proto__: null,
                put: put,
                setProperty: put,
                putAll: function (other) { other.forEachEntry(put); },
                get: old,
                getProperty: function (key, standard) {
                    return contains(key) ? old(key) : standard === undefined ? null : standard;
                },
                containsKey: contains,
                containsValue: function (value) {
                    var isFound = false;
                    forEach(function (key, other) { isFound = isFound || other === value; });
                    return isFound;
                },
                remove: function (key) {
                    var before = old(key);
                    apply(remove, entries, [key]);
                    return before;
                },
                clear: function () { apply(clear, entries, []); },
                size: count,
                isEmpty: function () { return count() === 0; },
                forEachEntry: forEach,
                toString: function () {
                    var text = "";
                    forEach(function (key, value) { text += (text && ", ") + string(key) + "=" + string(value); });
                    return "{" + text + "}";
                },
                toJSON: function () {
                    var object = {};
                    forEach(function (key, value) {
                        define(object, key, {
                            __proto__: null, value: value, writable: true, enumerable: true, configurable: true
                        });
                    });
                    return object;
                }
            };
            for (var name in methods) define(this, name, { __proto__: null, value: methods[name] });
            if (source && source.forEachEntry) source.forEachEntry(put);
        }
        // Without a prototype, and frozen, since scripts reach it.
        define(Table, "toString", { __proto__: null, value: Object.freeze(() => "[Java " + path + "]") });
        return Table;
    }

    var members = {
        __proto__: null,
        "java.lang.System.out.println": hooks.println,
        "java.lang.System.currentTimeMillis": Date.now,
        "java.lang.Thread.currentThread": currentThread,
        "java.util.Properties": table("java.util.Properties"),
        "java.util.Hashtable": table("java.util.Hashtable"),
        "java.net.URLEncoder.encode": encode,
        "java.net.URLDecoder.decode": decode,
        "com.worklight.common.js.util.JSObjectConverter.toFormattedString": hooks.formatted,
        "com.worklight.server.integration.api.JSObjectConverter.toFormattedString": hooks.formatted
    };
    // Scripts reach them.
    for (var path in members) {
        if (members[path].prototype) Object.freeze(members[path].prototype);
        Object.freeze(members[path]);
    }
    return members;
})
