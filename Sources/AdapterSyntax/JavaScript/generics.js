// Defines methods of arrays and strings as functions of `Array` and `String` too: `names` lists them, separated by blanks.
(function (names) {
    "use strict";
    function add(owner, names) {
        names.split(" ").forEach(function (name) {
            var method = owner.prototype[name];
            if (Object.hasOwn(owner, name) || !method) return;
            Object.defineProperty(owner, name, {
                __proto__: null,
                value: function (value) {
                    if (owner === String) value = String(value);
                    return method.apply(value, Array.prototype.slice.call(arguments, 1));
                }, writable: true, configurable: true
            });
        });
    }
    add(Array, names.Array);
    add(String, names.String);
    var replace = String.prototype.replace, RegExp = this.RegExp, textOf = String;
    if (this.__rhino.replace) return;
    // With flags, Rhino made a regular expression of a string to search for.
    Object.defineProperty(this.__rhino, "replace", { __proto__: null, value: function (object, pattern, by, flags) {
        if (typeof object !== "string" && !(object instanceof String) || pattern instanceof RegExp) {
            return object.replace(pattern, by, flags);
        }
        var literal = replace.call(textOf(pattern), /[\\^$.*+?()\[\]{}|\/]/g, "\\$&");
        return replace.call(object, new RegExp(literal, flags === undefined ? "" : textOf(flags)), by);
    } });
})
