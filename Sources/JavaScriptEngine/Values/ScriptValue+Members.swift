import CJavaScriptCore

/// What an object has under a name, as far as can be told without running a getter.
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
    /// The member `key`, without running a getter. Only a Proxy's traps are called.
    ///
    /// - Parameter inherited: whether what it inherits counts.
    public func stored(_ key: String, inherited: Bool = true) -> StoredMember {
        guard isObject, let reader = try? context.memberReader(),
            let found = try? reader.call([self, context.make(key), context.make(inherited)])
        else { return .absent }
        // An array of the value, or a text.
        if found.isString { return .accessor }
        guard found.isObject, let value = try? found.element(at: 0) else { return .absent }
        return .value(value)
    }
}

extension ScriptContext {
    /// Has ``ScriptValue/stored(_:inherited:)`` read with the language's functions as they are now. To be called before a
    /// script that may replace them.
    public func keepMemberReader() throws { _ = try memberReader() }

    fileprivate func memberReader() throws -> ScriptValue {
        if let memberReaderCache { return ScriptValue(memberReaderCache, in: self) }
        let reader = try evaluate(
            """
            (function (describe, prototypeOf, hasOwn, apply) {
                "use strict";
                return function (object, key, inherited) {
                    for (var at = object; at !== null; at = inherited ? prototypeOf(at) : null) {
                        var found = describe(at, key);
                        if (found) return apply(hasOwn, found, ["value"]) ? [found.value] : "accessor";
                    }
                    return undefined;
                };
            })(Object.getOwnPropertyDescriptor, Object.getPrototypeOf, Object.prototype.hasOwnProperty, Reflect.apply)
            """, file: "lamplighter:members")
        if let object = reader.object {
            JSValueProtect(reference, object)
            memberReaderCache = object
        }
        return reader
    }
}
