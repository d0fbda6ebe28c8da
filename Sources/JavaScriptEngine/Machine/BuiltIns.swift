import CJavaScriptCore

/// The language's own objects and functions as they were before any script ran, for native code.
///
/// A script may replace `JSON.stringify`, and may add members to `Object.prototype` that every object then inherits. Neither
/// may change how native code reads the next call's arguments or writes its result.
///
/// Belongs to a ``ScriptContext``, which calls ``release(in:)`` before it ends.
struct BuiltIns {
    /// `(value)`: a copy for `JSON.stringify` that ignores what scripts added to the prototypes of objects and arrays.
    let plain: JSObjectRef
    /// `(object, key)`: whether the object has the member, or inherits it from something other than `Object.prototype`.
    private let has: JSObjectRef
    /// `(object, key)`: the member without running a getter, as an array of the value; a text for an accessor.
    let stored: JSObjectRef
    /// `(object, key, value, attributes)`: makes an own member, whatever is inherited.
    let define: JSObjectRef
    /// `Object.keys`.
    let keys: JSObjectRef
    /// `(object)`: the names of all enumerable members that are not just those of `Object.prototype`, a zero behind each, as one text.
    let names: JSObjectRef
    /// `Reflect.apply`.
    let apply: JSObjectRef
    /// `Object.freeze`.
    let freeze: JSObjectRef
    /// `Object.preventExtensions`.
    let preventExtensions: JSObjectRef
    let objectPrototype: JSObjectRef
    let arrayPrototype: JSObjectRef
    let functionPrototype: JSObjectRef
    /// The constructor `Error`.
    let error: JSObjectRef

    /// Takes them from a new global scope and removes the language's asynchronous half from it; see ``ScriptContext``.
    ///
    /// - Throws: ``EngineStartError`` when the engine lacks one, ``ScriptException`` when it has no memory.
    init(in context: JSGlobalContextRef) throws {
        let source = JSText.make(Self.source)
        let url = JSText.make("lamplighter:builtins")
        defer {
            JSStringRelease(source)
            JSStringRelease(url)
        }
        var thrown: JSValueRef?
        let list = JSEvaluateScript(context, source, nil, url, 1, &thrown)
        let array = list.flatMap { JSValueToObject(context, $0, &thrown) }
        if let thrown { throw ScriptException(thrown: thrown, in: context) }
        let objects = (0..<UInt32(Self.count)).compactMap { index in
            JSObjectGetPropertyAtIndex(context, array, index, nil).flatMap { JSValueToObject(context, $0, nil) }
        }
        guard objects.count == Self.count else {
            throw EngineStartError.missingFunction("a function of ECMAScript 2022, such as Object.hasOwn")
        }
        for object in objects { JSValueProtect(context, object) }
        plain = objects[0]
        has = objects[1]
        stored = objects[2]
        define = objects[3]
        keys = objects[4]
        freeze = objects[5]
        preventExtensions = objects[6]
        objectPrototype = objects[7]
        arrayPrototype = objects[8]
        functionPrototype = objects[9]
        error = objects[10]
        names = objects[11]
        apply = objects[12]
    }

    /// Whether a member of that name, if the object has one, is not just that of `Object.prototype`. False when finding out
    /// fails, as with a Proxy that throws.
    func isOfItsOwn(_ name: JSStringRef, of object: JSObjectRef, in context: JSContextRef) -> Bool {
        guard JSObjectHasProperty(context, objectPrototype, name) else { return true }
        // The collector looks for values on the stack, so that is where these two must be.
        return withUnsafeTemporaryAllocation(of: JSValueRef?.self, capacity: 2) { values in
            values.initialize(repeating: nil)
            values[0] = object
            values[1] = JSValueMakeString(context, name)
            let answer = JSObjectCallAsFunction(context, has, nil, 2, values.baseAddress, nil)
            return answer.map { JSValueToBoolean(context, $0) } ?? false
        }
    }

    /// Returns the objects to the garbage collector.
    func release(in context: JSGlobalContextRef) {
        let objects = [
            plain, has, stored, define, keys, freeze, preventExtensions, objectPrototype, arrayPrototype,
            functionPrototype, error, names, apply,
        ]
        for object in objects { JSValueUnprotect(context, object) }
    }

    private static let count = 13

    /// Calls no method of an object that scripts reach: each function is kept in a variable, and descriptors inherit nothing.
    ///
    /// The prototype of native promises stays reachable through `import()`, so it is emptied. `Atomics` is overwritten where the
    /// others are deleted: it is in the engine's table of globals that are made when they are first used, and a deletion
    /// there makes all of them, 0.1 ms and 60 KB for every scope.
    private static let source = """
        (function (global) {
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
            ["Promise", "WebAssembly", "FinalizationRegistry"].forEach(function (name) { delete global[name]; });
            Object.defineProperty(global, "Atomics", { value: undefined, enumerable: false });
            delete Array.fromAsync;

            // The engine makes the results of these without asking for their memory, and holds them more than once. An array four times as
            // large as the largest result is refused where the heap's limit has no room for it; shorter texts do no harm.
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
            // Without a function that compares, each element becomes a text first.
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
                    __proto__: null, value: value, writable: !(attributes & \(kJSPropertyAttributeReadOnly)),
                    enumerable: !(attributes & \(kJSPropertyAttributeDontEnum)),
                    configurable: !(attributes & \(kJSPropertyAttributeDontDelete))
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

            // What every object or every array inherits is not part of a value.
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
                for (var key in object) if (has(object, key)) text += key + "\\0";
                return text;
            }
            function copied(value) { return plain(value, "", null); }

            return [
                copied, has, stored, define, keys, Object.freeze, Object.preventExtensions, objects, arrays,
                Function.prototype, Error, names, apply
            ];
        })(this)
        """
}
