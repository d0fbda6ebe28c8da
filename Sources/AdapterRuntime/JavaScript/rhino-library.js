// Adds to errors, strings and dates what Rhino's had; RhinoLibrary.swift lists it. `replaceDate` is the function of replace-date.js.
(function (hooks, replaceDate) {
    "use strict";
    // Scripts may replace them.
    var define = Object.defineProperty, assign = Object.assign, construct = Reflect.construct;
    var apply = Reflect.apply, search = RegExp.prototype.exec, string = String, lower = string.prototype.toLowerCase;
    function add(owner, name, value) {
        define(owner, name, { __proto__: null, value: value, writable: true, configurable: true });
    }

    ["fileName", "lineNumber"].forEach(function (name) {
        define(Error.prototype, name, {
            __proto__: null,
            get: function () {
                var place = hooks.place(this);
                return place && place[name];
            },
            set: function (value) { add(this, name, value); }, configurable: true
        });
    });
    add(Error.prototype, "toJSON", function () {
        return assign({ message: this.message }, this);
    });

    add(String.prototype, "equals", function (other) { return string(this) === string(other); });
    add(String.prototype, "equalsIgnoreCase", function (other) {
        return apply(lower, string(this), []) === apply(lower, string(other), []);
    });

    var Engine = Date, parse = Date.parse;
    var withoutZone = /^([+-]\d\d)?\d{4}(-\d\d){0,2}T\d\d:\d\d(:\d\d(\.\d+)?)?$/;
    function zoned(text) { return apply(search, withoutZone, [text]) ? text + "Z" : text; }
    function made(given, target) {
        var isText = given.length === 1 && (typeof given[0] === "string" || given[0] instanceof string);
        return construct(Engine, isText ? [zoned(string(given[0]))] : given, target);
    }
    add(replaceDate(Engine, made), "parse", function (text) { return parse(zoned(string(text))); });

    var time = Date.prototype.getTime, index = String.prototype.indexOf, part = String.prototype.slice;
    // The engine has GMT+0000 (Coordinated Universal Time), and Rhino had GMT-0000 (UTC).
    function short(text, date) {
        var end = apply(index, text, [" ("]);
        if (end < 0) return text;
        var offset = apply(part, text, [end - 5, end]);
        return apply(part, text, [0, end - 5]) + (offset === "+0000" ? "-0000" : offset) + " ("
            + hooks.zone(apply(time, date, [])) + ")";
    }
    ["toString", "toTimeString"].forEach(function (name) {
        var text = Date.prototype[name];
        add(Date.prototype, name, { [name]() { return short(apply(text, this, []), this); } }[name]);
    });
})
