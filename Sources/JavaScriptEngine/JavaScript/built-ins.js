// Returns the language's own objects and functions for native code, in the order of BuiltIns.swift, and removes the language's asynchronous
// half. `readOnly`, `dontEnum` and `dontDelete` are the attributes of properties in the engine's C API.
//
// It calls no method of an object that scripts reach: each function is kept in a variable, and descriptors inherit nothing.
//
// The prototype of native promises stays reachable through `import()`, so it is emptied. `Atomics` is overwritten where the others are
// deleted: it is in the engine's table of globals that are made when they are first used, and a deletion there makes all of them, 0.1 ms
// and 60 KB for every scope.
(function (global, readOnly, dontEnum, dontDelete) {
    "use strict";
    var isArray = Array.isArray, apply = Reflect.apply;
    var keys = Object.keys, hasOwn = Object.hasOwn, describe = Object.getOwnPropertyDescriptor;
    var defineProperty = Object.defineProperty, prototypeOf = Object.getPrototypeOf, create = Object.create;
    var objects = Object.prototype, arrays = Array.prototype, Fault = TypeError;
    var className = objects.toString;
    var valueOfBoolean = Boolean.prototype.valueOf;

    var promises = global.Promise.prototype;
    Reflect.ownKeys(promises).forEach(function (key) { delete promises[key]; });
    Object.freeze(promises);
    ["console", "Promise", "WebAssembly", "FinalizationRegistry"].forEach(function (name) { delete global[name]; });
    Object.defineProperty(global, "Atomics", { value: undefined, enumerable: false });
    delete Array.fromAsync;

    // The engine makes the results of these without asking for their memory, and holds them more than once. An array four times as
    // large as the largest result is refused where the heap's limit has no room for it; shorter strings do no harm.
    var texts = String.prototype, Room = ArrayBuffer;
    function guardText(name, bytesPerCharacter) {
        var original = texts[name];
        put(texts, name, {
            [name]() {
                var text = this === null || this === undefined ? this : `${this}`;
                if (text && text.length > 65536) new Room(text.length * bytesPerCharacter);
                return apply(original, text, arguments);
            }
        }[name], true);
    }
    guardText("normalize", 144);
    guardText("toLocaleUpperCase", 24);
    guardText("toLocaleLowerCase", 24);
    guardText("toUpperCase", 24);
    guardText("toLowerCase", 24);
    // Without a function that compares, each element becomes a string first.
    ["sort", "toSorted"].forEach(function (name) {
        var original = arrays[name];
        put(arrays, name, {
            [name](compare) {
                if (compare === undefined && this.length > 65536) new Room(this.length * 200);
                return apply(original, this, arguments);
            }
        }[name], true);
    });

    function put(object, key, value, isHidden) {
        defineProperty(object, key, {
            __proto__: null, value: value, writable: true, enumerable: !isHidden, configurable: true
        });
    }
    function define(object, key, value, attributes) {
        defineProperty(object, key, {
            __proto__: null, value: value, writable: !(attributes & readOnly),
            enumerable: !(attributes & dontEnum),
            configurable: !(attributes & dontDelete)
        });
    }
    function has(object, key) {
        for (var at = object; at !== null && at !== objects; at = prototypeOf(at)) {
            if (hasOwn(at, key)) return true;
        }
        return false;
    }
    function stored(object, key, inherited) {
        for (var at = object; at !== null && at !== objects; at = inherited ? prototypeOf(at) : null) {
            var found = describe(at, key);
            if (found) return hasOwn(found, "value") ? [found.value] : "accessor";
        }
        return undefined;
    }

    // A member that every object or every array inherits is not part of a value.
    function writer(value) {
        for (var at = value; at !== null && at !== objects && at !== arrays; at = prototypeOf(at)) {
            if (hasOwn(at, "toJSON")) return value.toJSON;
        }
        return undefined;
    }
    function plain(value, key, above) {
        if (typeof value !== "object" || value === null) return value;
        var convert = writer(value);
        if (typeof convert === "function") {
            value = apply(convert, value, [key]);
            if (typeof value !== "object" || value === null) return value;
        }
        switch (apply(className, value, [])) {
        case "[object Number]": return +value;
        case "[object String]": return "" + value;
        case "[object Boolean]": return apply(valueOfBoolean, value, []);
        }
        for (var at = above; at !== null; at = at.above) {
            if (at.value === value) throw new Fault("JSON.stringify cannot serialize cyclic structures.");
        }
        var here = { __proto__: null, value: value, above: above };
        var copy, names, index;
        if (isArray(value)) {
            copy = [];
            for (index = 0; index < value.length; index++) put(copy, index, plain(value[index], "" + index, here));
            put(copy, "toJSON", undefined, true);
        } else {
            copy = create(null);
            names = keys(value);
            for (index = 0; index < names.length; index++) {
                put(copy, names[index], plain(value[names[index]], names[index], here));
            }
        }
        return copy;
    }
    function names(object) {
        var text = "";
        for (var key in object) if (has(object, key)) text += key + "\0";
        return text;
    }
    function copied(value) { return plain(value, "", null); }

    return [
        copied, has, stored, define, keys, Object.freeze, Object.preventExtensions, objects, arrays,
        Function.prototype, Error, names, apply
    ];
})
