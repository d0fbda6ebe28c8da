// `uneval` and `toSource`.
(function (global) {
    "use strict";
    if (global.uneval) return;

    function key(name) { return /^[A-Za-z_$][\w$]*$/.test(name) || /^(0|[1-9]\d*)$/.test(name) ? name : text(name); }

    function text(value) { return JSON.stringify(value); }

    function source(value, seen) {
        if (value === null || typeof value === "undefined") return value === null ? "null" : "(void 0)";
        if (typeof value === "string") return text(value);
        if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
        if (typeof value === "function") return "(" + Function.prototype.toString.call(value) + ")";
        if (typeof value !== "object") return String(value);
        if (seen.indexOf(value) >= 0) return Array.isArray(value) ? "[]" : "({})";
        seen = seen.concat([value]);
        if (Array.isArray(value)) return "[" + value.map(function (item) { return source(item, seen); }).join(", ") + "]";
        if (value instanceof Date) return "(new Date(" + value.getTime() + "))";
        if (value instanceof RegExp) return String(value);
        if (value instanceof String) return "(new String(" + text(String(value)) + "))";
        if (value instanceof Number) return "(new Number(" + Number(value) + "))";
        if (value instanceof Boolean) return "(new Boolean(" + (value == true) + "))";
        if (value instanceof Error) return "(new " + value.name + "(" + text(value.message) + "))";
        return "({" + Object.keys(value).map(function (name) {
            var inner = source(value[name], seen);
            return key(name) + ":" + (/^\(\{/.test(inner) ? inner.slice(1, -1) : inner);
        }).join(", ") + "})";
    }

    function define(target, name, value) {
        Object.defineProperty(target, name, { __proto__: null, value: value, writable: true, configurable: true });
    }
    define(global, "uneval", function (value) { return source(value, []); });
    define(Object.prototype, "toSource", function () {
        if (typeof this === "string") return "(new String(" + text(String(this)) + "))";
        if (typeof this === "number") return "(new Number(" + this + "))";
        if (typeof this === "boolean") return "(new Boolean(" + this + "))";
        return source(this, []);
    });
})(this);
