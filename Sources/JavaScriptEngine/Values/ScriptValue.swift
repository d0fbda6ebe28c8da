import CJavaScriptCore

/// A script's value, alive as long as this object is.
///
/// Not Sendable, and made only by a ``ScriptContext``: it cannot leave its virtual machine. A value that must leave is copied with
/// ``data()`` or ``json()``.
public final class ScriptValue {
    public let context: ScriptContext
    let reference: JSValueRef

    init(_ reference: JSValueRef?, in context: ScriptContext) {
        // The C API declares its values nullable although these never are; the fallback is undefined.
        self.reference = reference ?? JSValueMakeUndefined(context.reference)
        self.context = context
        JSValueProtect(context.reference, self.reference)
    }

    deinit {
        JSValueUnprotect(context.reference, reference)
    }

    public var isUndefined: Bool { JSValueIsUndefined(context.reference, reference) }
    public var isNull: Bool { JSValueIsNull(context.reference, reference) }
    public var isNullOrUndefined: Bool { isNull || isUndefined }
    public var isObject: Bool { JSValueIsObject(context.reference, reference) }
    public var isArray: Bool { JSValueIsArray(context.reference, reference) }
    public var isString: Bool { JSValueIsString(context.reference, reference) }
    public var isDate: Bool { JSValueIsDate(context.reference, reference) }
    /// True if it is an `ArrayBuffer` or a typed array.
    public var isBytes: Bool {
        JSValueGetTypedArrayType(context.reference, reference, nil) != kJSTypedArrayTypeNone
    }
    public var isFunction: Bool { object.map { JSObjectIsFunction(context.reference, $0) } ?? false }

    /// The value when it is a boolean, without conversion.
    public var bool: Bool? {
        JSValueIsBoolean(context.reference, reference) ? JSValueToBoolean(context.reference, reference) : nil
    }

    /// The value when it is a number, without conversion.
    public var number: Double? {
        JSValueIsNumber(context.reference, reference) ? JSValueToNumber(context.reference, reference, nil) : nil
    }

    /// The longest string that a script may pass to a native function, in UTF-16 units: a copy may take three times as many bytes.
    public static let longestText = 16 << 20

    /// The value when it is a string of at most ``longestText``, without conversion.
    public var string: String? {
        guard isString, let text = JSValueToStringCopy(context.reference, reference, nil) else { return nil }
        return try? Self.take(text)
    }

    /// Returns the value of an engine string, and releases it.
    private static func take(_ text: JSStringRef) throws(HostError) -> String {
        guard JSStringGetLength(text) <= longestText else {
            JSStringRelease(text)
            throw HostError(
                "a string is longer than \(longestText) characters, the limit of the server's functions")
        }
        return JSText.take(text)
    }

    /// The Swift object behind a value made by ``ScriptContext/makeObject(hostData:)``.
    public var hostData: AnyObject? {
        object.flatMap { HostObject.data(of: $0, in: context) }
    }

    /// Returns the value of `String(value)`; it may run the script's own `toString`.
    ///
    /// - Throws: ``ScriptError``; ``HostError`` beyond ``longestText``.
    public func text() throws -> String {
        let text = try context.checked { JSValueToStringCopy(context.reference, reference, $0) }
        return try text.map(Self.take) ?? ""
    }

    /// Returns the value as `JSON.stringify` writes it; `nil` for undefined and functions. A `toJSON` that a script added to all objects or all
    /// arrays is not called.
    ///
    /// - Parameter indent: the number of blanks before a member, for each level; 0 for JSON without line ends.
    /// - Throws: ``ScriptError``, for a cyclic value or a BigInt among others; ``HostError`` beyond ``longestText``.
    public func json(indent: Int = 0) throws -> String? {
        let value = isObject && context.hasForeignWriter ? try context.call(context.builtIns.plain, self) : self
        let text = try context.checked {
            JSValueCreateJSONString(context.reference, value.reference, UInt32(clamping: indent), $0)
        }
        return try text.map(Self.take)
    }

    /// Makes `prototype` the object from which this one inherits.
    public func setPrototype(_ prototype: ScriptValue) {
        JSObjectSetPrototype(context.reference, object, prototype.reference)
    }

    /// Returns the element at `index` of an array; undefined beyond its end.
    ///
    /// - Throws: ``ScriptError`` from a getter.
    public func element(at index: Int) throws -> ScriptValue {
        guard let object else { return context.undefined }
        let value = try context.checked {
            JSObjectGetPropertyAtIndex(context.reference, object, UInt32(clamping: index), $0)
        }
        return ScriptValue(value, in: context)
    }

    /// The longest array whose elements are taken one by one. A script can make one that is longer by setting its last
    /// element, and there would not be memory enough for the others.
    public static let longestArray = 1_000_000

    /// Returns the elements of an array.
    ///
    /// - Throws: ``ScriptError`` from a getter, ``HostError`` when there are more than ``longestArray``.
    public func elements() throws -> [ScriptValue] {
        let count = try get("length").number ?? 0
        guard count <= Double(Self.longestArray) else {
            throw HostError("an array of \(Int(count)) elements is too long; the limit is \(Self.longestArray)")
        }
        return try (0..<Int(count)).map { try element(at: $0) }
    }

    /// Calls the function that this is.
    ///
    /// - Throws: ``ScriptError`` for the value that it throws, or for a TypeError when this is not a function.
    public func call(_ arguments: [ScriptValue] = [], this: ScriptValue? = nil) throws -> ScriptValue {
        guard let object, JSObjectIsFunction(context.reference, object) else {
            throw ScriptError(name: "TypeError", message: "not a function", location: nil, stack: nil)
        }
        let references: [JSValueRef?] = arguments.map(\.reference)
        let value = try withExtendedLifetime(arguments) {
            try context.checked {
                JSObjectCallAsFunction(context.reference, object, this?.object, references.count, references, $0)
            }
        }
        return ScriptValue(value, in: context)
    }

    /// Returns whether the two are the same by `===`.
    public func isIdentical(to other: ScriptValue) -> Bool {
        JSValueIsStrictEqual(context.reference, reference, other.reference)
    }

    /// The engine's object when this is one.
    var object: JSObjectRef? {
        isObject ? JSValueToObject(context.reference, reference, nil) : nil
    }
}

/// The attributes of a member that native code defines for scripts.
public struct MemberAttributes: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Assignments do nothing.
    public static let readOnly = MemberAttributes(rawValue: UInt32(kJSPropertyAttributeReadOnly))
    /// `for…in` and `JSON.stringify` pass over it.
    public static let hidden = MemberAttributes(rawValue: UInt32(kJSPropertyAttributeDontEnum))
    /// `delete` does nothing.
    public static let permanent = MemberAttributes(rawValue: UInt32(kJSPropertyAttributeDontDelete))
}
