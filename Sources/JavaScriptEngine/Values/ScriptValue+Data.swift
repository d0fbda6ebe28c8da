import CJavaScriptCore

import struct Foundation.Date

/// A value could not be copied out of its virtual machine.
public enum ScriptDataError: Error, Hashable, CustomStringConvertible {
    /// It holds itself, or nests deeper than ``ScriptValue/deepestData`` levels.
    case tooDeep
    /// A BigInt or a Symbol, which has no counterpart.
    case unsupported(String)

    public var description: String {
        switch self {
        case .tooDeep: "the value holds itself, or nests deeper than \(ScriptValue.deepestData) levels"
        case .unsupported(let kind): "a \(kind) cannot leave the script"
        }
    }
}

extension ScriptValue {
    /// The largest nesting depth of a value that can be copied.
    public static let deepestData = 512

    /// Returns a copy of the value.
    ///
    /// - Throws: ``ScriptDataError``, and ``ScriptError`` from a getter.
    public func data() throws -> ScriptData {
        try data(depth: 0)
    }

    private func data(depth: Int) throws -> ScriptData {
        guard depth <= Self.deepestData else { throw ScriptDataError.tooDeep }
        switch JSValueGetType(context.reference, reference) {
        case kJSTypeUndefined: return .undefined
        case kJSTypeNull: return .null
        case kJSTypeBoolean: return .bool(JSValueToBoolean(context.reference, reference))
        case kJSTypeNumber: return .number(JSValueToNumber(context.reference, reference, nil))
        case kJSTypeString: return .string(try text())
        case kJSTypeSymbol: throw ScriptDataError.unsupported("Symbol")
        case kJSTypeObject: return try objectData(depth: depth)
        default: throw ScriptDataError.unsupported("BigInt")
        }
    }

    private func objectData(depth: Int) throws -> ScriptData {
        if isFunction { return .undefined }
        if isDate {
            let milliseconds = JSValueToNumber(context.reference, reference, nil)
            return milliseconds.isFinite ? .date(Date(timeIntervalSince1970: milliseconds / 1000)) : .null
        }
        if let bytes = try bytes() { return .bytes(bytes) }
        if isArray {
            return .array(try elements().map { try $0.data(depth: depth + 1) })
        }
        return .object(
            try keys.compactMap { key in
                let value = try get(key)
                return value.isFunction ? nil : ScriptData.Member(key, try value.data(depth: depth + 1))
            })
    }

    /// Returns a copy of the bytes of an `ArrayBuffer` or of the part of one that a typed array shows.
    private func bytes() throws -> [UInt8]? {
        let kind = JSValueGetTypedArrayType(context.reference, reference, nil)
        guard kind != kJSTypedArrayTypeNone, let object else { return nil }
        let isBuffer = kind == kJSTypedArrayTypeArrayBuffer
        let start = try context.checked { exception in
            isBuffer
                ? JSObjectGetArrayBufferBytesPtr(context.reference, object, exception)
                : JSObjectGetTypedArrayBytesPtr(context.reference, object, exception)
        }
        guard let start else { return [] }
        if isBuffer {
            let count = JSObjectGetArrayBufferByteLength(context.reference, object, nil)
            return Array(UnsafeRawBufferPointer(start: start, count: count))
        }
        // The pointer is the whole buffer's.
        let offset = JSObjectGetTypedArrayByteOffset(context.reference, object, nil)
        let count = JSObjectGetTypedArrayByteLength(context.reference, object, nil)
        return Array(UnsafeRawBufferPointer(start: start + offset, count: count))
    }
}

extension ScriptContext {
    /// Returns a script's value that is a copy of `data`.
    ///
    /// - Throws: ``ScriptError`` when the engine has no memory for it.
    public func make(_ data: ScriptData) throws -> ScriptValue {
        switch data {
        case .undefined: return undefined
        case .null: return null
        case .bool(let bool): return make(bool)
        case .number(let number): return make(number)
        case .string(let string): return make(string)
        case .date(let date):
            var argument: JSValueRef? = JSValueMakeNumber(reference, (date.timeIntervalSince1970 * 1000).rounded())
            return ScriptValue(try checked { JSObjectMakeDate(reference, 1, &argument, $0) }, in: self)
        case .bytes(let bytes): return try makeBytes(bytes)
        case .array(let elements): return try makeArray(try elements.map(make))
        case .object(let members):
            let object = makeObject()
            for member in members { try object.set(member.key, try make(member.value)) }
            return object
        }
    }

    /// Returns a `Uint8Array` with a copy of `bytes`.
    private func makeBytes(_ bytes: [UInt8]) throws -> ScriptValue {
        let array = try checked {
            JSObjectMakeTypedArray(reference, kJSTypedArrayTypeUint8Array, bytes.count, $0)
        }
        let value = ScriptValue(array, in: self)
        if !bytes.isEmpty, let start = try checked({ JSObjectGetTypedArrayBytesPtr(reference, array, $0) }) {
            UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyBytes(from: bytes)
        }
        return value
    }
}

extension ScriptValue {
    /// Returns the result of an object's `valueOf`, such as `"a"` for `new String("a")`. Returns other values, and dates,
    /// unchanged.
    ///
    /// - Throws: ``ScriptError`` when a `valueOf` of the script's throws.
    public func unboxed() throws -> ScriptValue {
        guard isObject, !isArray, !isFunction, !isDate else { return self }
        let method = try get("valueOf")
        guard method.isFunction else { return self }
        let value = try method.call(this: self)
        return value.isObject || value.isNullOrUndefined ? self : value
    }
}
