import CJavaScriptCore

/// The member that an object has under a name, as far as it is known without running a getter.
public enum StoredMember {
    case value(ScriptValue)
    case accessor
    case absent

    /// The value when there is one.
    public var value: ScriptValue? {
        if case .value(let value) = self { value } else { nil }
    }
}

extension ScriptValue {
    /// Returns the member `key`, without running a getter. Only a Proxy's traps are called.
    ///
    /// - Parameter inherited: whether what it inherits counts, from anything but `Object.prototype`.
    public func stored(_ key: String, inherited: Bool = true) -> StoredMember {
        guard isObject,
            let found = try? context.call(
                context.builtIns.stored, self, context.make(key), context.make(inherited))
        else { return .absent }
        // An array of the value, or a string.
        if found.isString { return .accessor }
        guard found.isObject, let value = try? found.element(at: 0) else { return .absent }
        return .value(value)
    }

    /// Returns the member `key`; undefined when there is none or this is not an object.
    ///
    /// Members that a script added to `Object.prototype`, and those of the language there, do not count: every object has
    /// them. Members that an object inherits from elsewhere do.
    ///
    /// - Throws: ``ScriptError`` from a getter.
    public func get(_ key: String) throws -> ScriptValue {
        guard let object else { return context.undefined }
        let name = JSText.make(key)
        defer { JSStringRelease(name) }
        guard context.builtIns.isOfItsOwn(name, of: object, in: context.reference) else { return context.undefined }
        let value = try context.checked { JSObjectGetProperty(context.reference, object, name, $0) }
        return ScriptValue(value, in: context)
    }

    /// Returns whether there is a member `key`, counted as ``get(_:)`` does.
    public func has(_ key: String) -> Bool {
        guard let object else { return false }
        let name = JSText.make(key)
        defer { JSStringRelease(name) }
        return JSObjectHasProperty(context.reference, object, name)
            && context.builtIns.isOfItsOwn(name, of: object, in: context.reference)
    }

    /// Sets an own member of the object, in place of one that it has; setters are not called.
    ///
    /// - Parameter attributes: how the script may use it.
    /// - Throws: ``ScriptError`` when the object does not take it.
    public func set(_ key: String, _ value: ScriptValue, _ attributes: MemberAttributes = []) throws {
        guard let object else { return }
        let name = JSText.make(key)
        defer { JSStringRelease(name) }
        // Setting a member applies the attributes only if the member does not exist yet; an inherited member can prevent this.
        guard JSObjectHasProperty(context.reference, object, name) else {
            return try context.checked {
                JSObjectSetProperty(context.reference, object, name, value.reference, attributes.rawValue, $0)
            }
        }
        try context.call(
            context.builtIns.define, self, context.make(key), value, context.make(Double(attributes.rawValue)))
    }

    /// The keys of the object's own enumerable members, in the script's order; none when a Proxy throws.
    public var keys: [String] {
        guard isObject, let list = try? context.call(context.builtIns.keys, self),
            let count = try? list.get("length").number
        else { return [] }
        return (0..<Int(count)).compactMap { try? list.element(at: $0).string }
    }
}

extension ScriptValue {
    /// The names under which ``get(_:)`` finds something enumerable, in one call of the engine; none when a Proxy throws.
    public var memberNames: [String] {
        guard isObject, let text = try? context.call(context.builtIns.names, self).string else { return [] }
        return text.split(separator: "\0").map(String.init)
    }
}

extension ScriptContext {
    /// True if a script has added a `toJSON` to all objects or all arrays.
    var hasForeignWriter: Bool {
        let name = JSText.make("toJSON")
        defer { JSStringRelease(name) }
        // Arrays inherit from Object.prototype as well.
        return JSObjectHasProperty(reference, builtIns.arrayPrototype, name)
    }

    /// Calls one of ``PristineBuiltIns``.
    @discardableResult
    func call(_ function: JSObjectRef, _ arguments: ScriptValue...) throws -> ScriptValue {
        let references: [JSValueRef?] = arguments.map(\.reference)
        return try withExtendedLifetime(arguments) {
            ScriptValue(
                try checked { JSObjectCallAsFunction(reference, function, nil, references.count, references, $0) },
                in: self)
        }
    }
}
