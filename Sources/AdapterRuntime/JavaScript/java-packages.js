// Declares `roots`, the variables under which scripts find Java's packages: Proxies that return `members` by their paths. Every scope has
// these names, so there is little to each: one handler's worth of traps for all.
//
// A script may replace the language's own objects and functions, so those that run later are kept here.
(function (global, hooks, members, roots) {
    "use strict";
    var Engine = Proxy, toPrimitive = Symbol.toPrimitive;
    // A function without own members, so that the Proxies can be frozen and still have a member of any name.
    var target = function () {}.bind();
    delete target.length;
    delete target.name;
    Object.freeze(target);
    function refuse() { return false; }
    // A class, as in String.valueOf(5), has a method valueOf; a value has the one of all objects.
    function isClass(name) {
        return name[0] >= "A" && name[0] <= "Z" && name[name.length - 1] !== ")";
    }
    var traps = {
        __proto__: null,
        get: function (target, key) {
            var path = this.path;
            if (key === "toString" || key === toPrimitive) return function () { return "[Java " + path + "]"; };
            if (typeof key === "symbol") return undefined;
            if (key === "toJSON" || (key === "valueOf" && !isClass(this.last))) return undefined;
            var next = path === "Packages" ? key : path + "." + key;
            return members[next] || name(next, key);
        },
        apply: function () { hooks.unavailable(this.path); return name(this.path + "()", ")"); },
        // No script leaves anything in it.
        set: refuse, defineProperty: refuse, deleteProperty: refuse, setPrototypeOf: refuse,
        construct: function () { hooks.unavailable("new " + this.path); return name("new " + this.path + "()", ")"); }
    };
    function name(path, last) { return new Engine(target, { __proto__: traps, path: path, last: last }); }
    roots.forEach(function (root) { global[root] = name(root, ""); });
})
