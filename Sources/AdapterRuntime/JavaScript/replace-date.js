// Replaces the global `Date`, which is `Engine`, by a function that makes dates by `made(arguments, target)`, and returns it.
//
// The dates have the engine's class, so that `instanceof` and everything else holds.
(function (Engine, made) {
    "use strict";
    var Replacement = function Date() {
        return new.target ? made(arguments, new.target) : made([], Engine).toString();
    };
    Object.getOwnPropertyNames(Engine).forEach(function (name) {
        Object.defineProperty(Replacement, name, Object.getOwnPropertyDescriptor(Engine, name));
    });
    Engine.prototype.constructor = Replacement;
    Date = Replacement; // the global
    return Replacement;
})
