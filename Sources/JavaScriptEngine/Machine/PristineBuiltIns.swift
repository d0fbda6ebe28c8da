import CJavaScriptCore

/// The language's own objects and functions as they were before any script ran, for native code.
///
/// A script may replace `JSON.stringify`, and may add members to `Object.prototype` that every object then inherits. Neither
/// may change how native code reads the next call's arguments or writes its result.
///
/// Belongs to a ``ScriptContext``, which calls ``release(in:)`` before it ends.
struct PristineBuiltIns {
    /// `(value)`: a copy for `JSON.stringify` that ignores what scripts added to the prototypes of objects and arrays.
    let plain: JSObjectRef
    /// `(object, key)`: true if the object has the member, or inherits it from something other than `Object.prototype`.
    private let has: JSObjectRef
    /// `(object, key)`: the member without running a getter, as an array of the value; a string for an accessor.
    let stored: JSObjectRef
    /// `(object, key, value, attributes)`: defines an own member, even if one of that name is inherited.
    let define: JSObjectRef
    /// `Object.keys`.
    let keys: JSObjectRef
    /// `(object)`: the names of all enumerable members that are not just those of `Object.prototype`, a zero behind each, as one string.
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
    /// - Throws: ``EngineStartError`` when the engine lacks one, ``ScriptError`` when it has no memory.
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
        if let thrown { throw ScriptError(thrown: thrown, in: context) }
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

    /// Returns whether a member of that name, if the object has one, is not just that of `Object.prototype`. False when finding out
    /// fails, as with a Proxy that throws.
    func isOfItsOwn(_ name: JSStringRef, of object: JSObjectRef, in context: JSContextRef) -> Bool {
        guard JSObjectHasProperty(context, objectPrototype, name) else { return true }
        // The collector searches the stack for values, so these two must be there.
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

    private static let source =
        EmbeddedText.built_ins_js
        + "(this, \(kJSPropertyAttributeReadOnly), \(kJSPropertyAttributeDontEnum), \(kJSPropertyAttributeDontDelete))"
}
