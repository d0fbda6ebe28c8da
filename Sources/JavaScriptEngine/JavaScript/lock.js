// Locks a realm: afterwards no script can change what other scripts of the realm reach. ScriptContext+Lock.swift has the rules.
//
// It is called before any script, after the server's own code. `random` replaces `Math.random`, whose state all scripts would share. `more` has
// objects that are to be locked, too.
(function (global, random, more) {
    "use strict";
    var define = Object.defineProperty, describe = Object.getOwnPropertyDescriptor, ownKeys = Reflect.ownKeys;
    var remove = Reflect.deleteProperty, prototypeOf = Object.getPrototypeOf, freeze = Object.freeze, construct = Reflect.construct, Fault = TypeError;

    [
        "Promise", "Atomics", "WebAssembly", "WeakRef", "FinalizationRegistry", "SharedArrayBuffer", "ShadowRealm"
    ].forEach(function (name) { delete global[name]; });
    // It would add a member to a frozen object.
    delete Error.captureStackTrace;
    define(Math, "random", { value: random });

    // An assignment to `stackTraceLimit` of a class that inherits from the engine's Error changes the engine's limit, even if Error is frozen. A
    // bound function makes the same objects, and stacks do not contain it.
    var Base = Error, Errors = Base.bind();
    ["name", "length", "prototype", "isError"].forEach(function (key) { define(Errors, key, describe(Base, key)); });
    ownKeys(global).forEach(function (name) {
        var value = describe(global, name).value;
        if (isObject(value) && prototypeOf(value) === Base) Object.setPrototypeOf(value, Errors);
    });
    define(Base.prototype, "constructor", { value: Errors });
    define(global, "Error", { value: Errors });

    // `RegExp.$1` and the like are of the last match of any script, and a frozen RegExp still takes an assignment to `RegExp.input`.
    var Engine = RegExp, expressions = Engine.prototype, matches = Symbol.match;
    function Expression(pattern, flags) {
        if (new.target === undefined) {
            var isExpression = isObject(pattern) && Boolean(pattern[matches]);
            if (isExpression && flags === undefined && pattern.constructor === Expression) return pattern;
        }
        // Objects that the engine's constructor makes for itself are the ones for which it has fast code.
        return new.target === undefined || new.target === Expression
            ? construct(Engine, arguments) : construct(Engine, arguments, new.target);
    }
    define(Expression, "name", { value: "RegExp" });
    define(Expression, "prototype", { value: expressions });
    ["escape", Symbol.species].forEach(function (key) {
        var member = describe(Engine, key);
        if (member) define(Expression, key, member);
    });
    define(expressions, "constructor", { value: Expression });
    define(global, "RegExp", { value: Expression });

    // All objects that scripts reach: from the global object, and through values that only syntax or calls make.
    var objects = new Set();
    function isObject(value) { return typeof value === "object" ? value !== null : typeof value === "function"; }
    function reach(value) { if (isObject(value)) objects.add(value); }
    reach(global);
    more.forEach(reach);
    function* generator() {}
    async function promise() {}
    async function* stream() {}
    var segments = new Intl.Segmenter().segment("");
    // The global of that name may be Rhino's.
    var Iterators = prototypeOf(prototypeOf([][Symbol.iterator]())).constructor;
    reach(Iterators);
    [
        generator, generator(), promise, stream, stream(), [][Symbol.iterator](), ""[Symbol.iterator](), new Map().keys(),
        new Set().keys(), "".matchAll(/./g), [].values().map(isObject), Iterators.from({ next: isObject }), segments,
        segments[Symbol.iterator](), function () { return arguments; }()
    ].forEach(function (value) { for (var at = prototypeOf(value); at !== null; at = prototypeOf(at)) reach(at); });
    objects.forEach(function (object) {
        reach(prototypeOf(object));
        ownKeys(object).forEach(function (key) {
            var member = describe(object, key);
            reach(member.value);
            reach(member.get);
            reach(member.set);
        });
    });

    // An object cannot get a member by assignment if it inherits a read-only one of that name. So the members of the prototypes that scripts of
    // ES5 inherit from become accessors, except where each string, array and regular expression would become slower. Accessors for all prototypes
    // would take 4 ms and 250 KB more in each machine.
    var fixed = new Set([
        "constructor", "length", "concat", "every", "filter", "forEach", "indexOf", "join", "lastIndexOf", "map", "pop", "push", "reduce",
        "reduceRight", "reverse", "shift", "slice", "some", "sort", "splice", "unshift"
    ]);
    function makeOverridable(prototype, key, value, isEnumerable) {
        var accessors = {
            get() { return value; },
            set(replacement) {
                if (this === prototype) {
                    throw new Fault("'" + key + "' is the language's own and cannot be changed, since all sessions use it");
                }
                if (isObject(this)) {
                    define(this, key, {
                        __proto__: null, value: replacement, writable: true, enumerable: true, configurable: true
                    });
                }
            }
        };
        reach(accessors.get);
        reach(accessors.set);
        define(prototype, key, { get: accessors.get, set: accessors.set, enumerable: isEnumerable });
    }
    [
        "Object", "Function", "Array", "Boolean", "Number", "Date", "Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError",
        "TypeError", "URIError"
    ].forEach(function (name) {
        var prototype = global[name].prototype;
        ownKeys(prototype).forEach(function (key) {
            var member = describe(prototype, key);
            var isFixed = typeof key !== "string" || prototype === Array.prototype && fixed.has(key);
            if (!isFixed && member.writable && member.configurable) {
                makeOverridable(prototype, key, member.value, member.enumerable);
            }
        });
    });

    objects.delete(global);
    objects.forEach(freeze);
    freeze(global);
    // The first refused deletion changes the order of an object's members for all scripts.
    objects.add(global);
    objects.forEach(function (object) {
        ownKeys(object).forEach(function (key) { remove(object, key); });
    });
})
