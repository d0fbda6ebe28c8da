// `JavaAdapter` and `JavaImporter`. They return the runtime's stand-ins for Java's classes, which fail when a script calls them.
(function (global, rhino) {
    "use strict";
    if (rhino.importer) return;
    // Scripts may replace them.
    var Packages = global.Packages, Proxy = global.Proxy, textOf = global.String;
    var apply = Reflect.apply, create = Object.create, search = RegExp.prototype.exec;
    var owns = Object.prototype.hasOwnProperty;
    var names = /^\[Java (?:Packages\.)?([\w$.]+)\]$/, className = /^(?:(.*)\.)?([A-Z][\w$]*)$/;

    function define(target, name, value) {
        Object.defineProperty(target, name, { __proto__: null, value: value, writable: true, configurable: true });
    }

    // Makes an importer: the classes among `candidates`, each with the packages that are known to have it.
    function importer(candidates) {
        return function JavaImporter() {
            var packages = [], classes = create(null), own = create(null);
            function add() {
                for (var index = 0; index < arguments.length; index++) {
                    var found = apply(search, names, [textOf(arguments[index])]);
                    if (!found) continue;
                    var parts = apply(search, className, [found[1]]);
                    if (parts) classes[parts[2]] = found[1];
                    else packages[packages.length] = found[1];
                }
            }
            function path(key) {
                if (typeof key !== "string") return undefined;
                if (key in classes) return classes[key];
                var homes = apply(owns, candidates, [key]) && candidates[key];
                if (!homes || packages.length === 0 || key in global) return undefined;
                for (var home = 0; home < homes.length; home++) {
                    for (var index = 0; index < packages.length; index++) {
                        if (packages[index] === homes[home]) return homes[home] + "." + key;
                    }
                }
                if (homes.length > 0) return undefined;
                return packages.length === 1 ? packages[0] + "." + key : key;
            }
            own.importPackage = own.importClass = add;
            apply(add, undefined, arguments);
            return new Proxy(own, {
                __proto__: null,
                has: function (target, key) { return key in target || path(key) !== undefined; },
                get: function (target, key) {
                    if (key in target) return target[key];
                    var name = path(key);
                    return name === undefined ? undefined : Packages[name];
                }
            });
        };
    }

    define(rhino, "importer", importer);
    if (!("JavaAdapter" in global)) define(global, "JavaAdapter", Packages && Packages.JavaAdapter);
    if (!("JavaImporter" in global)) define(global, "JavaImporter", importer({}));
})(this, this.__rhino);
