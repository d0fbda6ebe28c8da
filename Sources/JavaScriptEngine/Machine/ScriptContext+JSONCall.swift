import CJavaScriptCore

/// The reason why a function was not called.
public enum JSONCallError: Error, Hashable {
    /// The global object has no function of that name, or only the one that all objects inherit.
    case noSuchFunction
    /// The arguments are not a JSON array.
    case argumentsAreNoArray
}

/// A function's result that cannot be written as JSON, such as a cycle.
public struct JSONResultError: Error {
    public let exception: ScriptError
}

extension ScriptContext {
    /// Calls a function of the global object with JSON in and JSON out.
    ///
    /// - Parameter arguments: a JSON array.
    /// - Returns: the result as `JSON.stringify` writes it, `nil` for `undefined`, `null` and values that JSON cannot express.
    /// - Throws: ``ScriptError``, ``JSONCallError``, ``JSONResultError``.
    public func call(_ name: String, jsonArguments arguments: String) throws -> String? {
        let key = nameString(name)
        let member = try checked {
            JSObjectGetProperty(reference, JSContextGetGlobalObject(reference), key, $0)
        }
        guard let function = JSValueToObject(reference, member, nil), JSObjectIsFunction(reference, function),
            // A member that all objects inherit is not one of the script's functions.
            member != JSObjectGetProperty(reference, builtIns.objectPrototype, key, nil)
        else { throw JSONCallError.noSuchFunction }
        return try call(function, arguments)
    }

    /// Calls a function with JSON in and JSON out.
    ///
    /// - Throws: as ``call(_:jsonArguments:)-(String,_)``.
    public func call(
        _ function: ScriptValue, jsonArguments arguments: String
    ) throws -> String? {
        guard let object = function.object, function.isFunction else { throw JSONCallError.noSuchFunction }
        return try call(object, arguments)
    }

    /// Calls a function with JSON in.
    ///
    /// - Parameter arguments: a JSON array.
    /// - Throws: ``ScriptError``, ``JSONCallError``.
    public func call(_ function: ScriptValue, withJSON arguments: String) throws -> ScriptValue {
        guard let object = function.object, function.isFunction else { throw JSONCallError.noSuchFunction }
        let text = JSText.make(arguments)
        defer { JSStringRelease(text) }
        let list = ScriptValue(JSValueMakeFromJSONString(reference, text) ?? JSValueMakeNull(reference), in: self)
        guard list.isArray else { throw JSONCallError.argumentsAreNoArray }
        return try call(builtIns.apply, ScriptValue(object, in: self), undefined, list)
    }

    /// Returns the result of a function as `JSON.stringify` writes it, `nil` for `undefined`, `null` and values that JSON cannot express.
    ///
    /// - Throws: ``ScriptError``, ``JSONResultError``.
    public func json(ofResult result: ScriptValue) throws -> String? {
        result.isNullOrUndefined ? nil : try written(result)
    }

    // A helper in JavaScript would be compiled again in each scope, and take memory there.
    private func call(_ function: JSObjectRef, _ arguments: String) throws -> String? {
        let text = JSText.make(arguments)
        defer { JSStringRelease(text) }
        // The garbage collector scans the stack, so the values are kept there.
        return try withUnsafeTemporaryAllocation(of: JSValueRef?.self, capacity: 3) {
            values -> String? in
            values.initialize(repeating: nil)
            values[0] = function
            // The C API itself would call with the global object as `this`, also in strict mode.
            values[1] = JSValueMakeUndefined(reference)
            values[2] = JSValueMakeFromJSONString(reference, text)
            guard JSValueIsArray(reference, values[2]) else { throw JSONCallError.argumentsAreNoArray }
            values[0] = try checked {
                JSObjectCallAsFunction(reference, builtIns.apply, nil, 3, values.baseAddress, $0)
            }
            guard let result = values[0], !JSValueIsUndefined(reference, result), !JSValueIsNull(reference, result)
            else { return nil }
            return try written(ScriptValue(result, in: self))
        }
    }

    private func written(_ value: ScriptValue) throws -> String? {
        do {
            let plain = value.isObject && hasForeignWriter ? try call(builtIns.plain, value) : value
            return try checked { JSValueCreateJSONString(reference, plain.reference, 0, $0) }.map(JSText.take)
        } catch let error as ScriptError where error.message.hasPrefix(Self.refusal) {
            throw JSONResultError(exception: error)
        }
    }

    // The beginning of the messages of the engine and of PristineBuiltIns about values that JSON cannot express.
    private static let refusal = "JSON.stringify cannot serialize"

    /// Returns the engine's string for a function's name. Names are few, so all are cached.
    private func nameString(_ name: String) -> JSStringRef {
        if let known = nameCache[name] { return known }
        let new = JSText.make(name)
        nameCache[name] = new
        return new
    }
}
