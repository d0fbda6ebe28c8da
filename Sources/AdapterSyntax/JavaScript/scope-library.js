// The functions that scopes need from the realm; see ScopeFunction.swift. `member` returns a member that a script has added to the scope's
// object, and `make` makes that object.
(function () {
    "use strict";
    var hasOwn = Object.hasOwn, create = Object.create, define = Object.defineProperty, freeze = Object.freeze;
    var library = {
        member(object, name) { return object !== undefined && hasOwn(object, name) ? object[name] : undefined; },
        make(global, names, get, set) {
            var object = create(global);
            for (var index = 0; index < names.length; index++) add(object, names[index], get, set);
            return object;
        }
    };
    function add(object, name, get, set) {
        define(object, name, {
            __proto__: null, enumerable: true, configurable: false,
            get() { return get(name); }, set(value) { set(name, value); }
        });
    }
    freeze(library.member);
    freeze(library.make);
    return freeze(library);
})()
