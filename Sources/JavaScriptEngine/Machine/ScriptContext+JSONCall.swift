import CJavaScriptCore
import Foundation

/// What a function returned, in the form in which it leaves the script.
public struct JSONReturn: Sendable, Hashable {
    /// What kind of value it was, so that nobody must parse the text to know.
    public enum Kind: UInt8, Sendable, Hashable {
        /// Nothing, `null`, or what JSON has no word for, such as a function.
        case nothing = 0x6E  // n
        case array = 0x61  // a
        /// A number, a text or a boolean.
        case scalar = 0x73  // s
        /// An object whose JSON has no member `isSuccessful`; an inherited one does not count.
        case unmarkedObject = 0x7B  // {
        /// An object whose member `isSuccessful` is `false`.
        case failure = 0x66  // f
        /// An object whose member `isSuccessful` is something else.
        case success = 0x74  // t
    }

    public let kind: Kind
    /// What `JSON.stringify` gives; empty for nothing.
    public let json: String
}

/// Why a function was not called.
public enum JSONCallError: Error, Hashable {
    /// There is no member of the global object that is a function of that name.
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
    /// - Throws: ``ScriptError``, ``JSONCallError``, ``JSONResultError``.
    public func call(_ name: String, jsonArguments arguments: String) throws -> JSONReturn {
        let key = nameString(name)
        guard let global = JSContextGetGlobalObject(reference),
            builtIns.isOfItsOwn(key, of: global, in: reference)
        else { throw JSONCallError.noSuchFunction }
        let member = try checked { JSObjectGetProperty(reference, global, key, $0) }
        guard let function = JSValueToObject(reference, member, nil), JSObjectIsFunction(reference, function) else {
            throw JSONCallError.noSuchFunction
        }
        return try call(function, arguments)
    }

    /// Calls a function with JSON in and JSON out.
    ///
    /// - Throws: as ``call(_:jsonArguments:)-(String,_)``.
    public func call(_ function: ScriptValue, jsonArguments arguments: String) throws -> JSONReturn {
        guard let object = function.object, function.isFunction else { throw JSONCallError.noSuchFunction }
        return try call(object, arguments)
    }

    // A helper in JavaScript would be compiled again in each scope, and take memory there.
    private func call(_ function: JSObjectRef, _ arguments: String) throws -> JSONReturn {
        let text = JSText.make(arguments)
        defer { JSStringRelease(text) }
        // The garbage collector scans the stack, so the values are kept there.
        return try withUnsafeTemporaryAllocation(of: JSValueRef?.self, capacity: 3) { values in
            values.initialize(repeating: nil)
            values[0] = function
            // The C API itself would call with the global object as `this`, also in strict mode.
            values[1] = JSValueMakeUndefined(reference)
            values[2] = JSValueMakeFromJSONString(reference, text)
            guard JSValueIsArray(reference, values[2]) else { throw JSONCallError.argumentsAreNoArray }
            values[0] = try checked {
                JSObjectCallAsFunction(reference, builtIns.apply, nil, 3, values.baseAddress, $0)
            }
            return try written(values[0])
        }
    }

    private func written(_ result: JSValueRef?) throws -> JSONReturn {
        let nothing = JSONReturn(kind: .nothing, json: "")
        guard let result, !JSValueIsUndefined(reference, result), !JSValueIsNull(reference, result) else {
            return nothing
        }
        guard let json = try json(of: result) else { return nothing }
        let first = json.utf8.first
        let object = JSValueIsObject(reference, result) ? JSValueToObject(reference, result, nil) : nil
        guard let object, !JSValueIsArray(reference, result), !JSObjectIsFunction(reference, object) else {
            return JSONReturn(kind: first == UInt8(ascii: "[") ? .array : .scalar, json: json)
        }
        return JSONReturn(kind: first == UInt8(ascii: "{") ? Self.mark(of: json) : .scalar, json: json)
    }

    private func json(of result: JSValueRef) throws -> String? {
        do {
            let value = ScriptValue(result, in: self)
            let plain = value.isObject && hasForeignWriter ? try call(builtIns.plain, value) : value
            return try checked { JSValueCreateJSONString(reference, plain.reference, 0, $0) }.map(JSText.take)
        } catch let error as ScriptError where error.message.hasPrefix(Self.refusal) {
            throw JSONResultError(exception: error)
        }
    }

    // The engine's words, and those of PristineBuiltIns, for what JSON cannot express.
    private static let refusal = "JSON.stringify cannot serialize"

    /// Returns the kind of an object by the member `isSuccessful` of its JSON.
    private static func mark(of json: String) -> JSONReturn.Kind {
        guard json.withCString({ strstr($0, member) }) != nil else { return .unmarkedObject }
        var json = json
        return json.withUTF8 { bytes in
            var (depth, index) = (0, 0)
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: "\""):
                    if depth == 1, bytes[index...].starts(with: member.utf8) {
                        return bytes[(index + member.utf8.count)...].starts(with: "false".utf8) ? .failure : .success
                    }
                    index += 1
                    while bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
                default: break
                }
                index += 1
            }
            return .unmarkedObject
        }
    }

    // A string that is followed by a colon is a member's name.
    private static let member = #""isSuccessful":"#

    /// Returns the engine's string for a function's name. Names are few, so all are cached.
    private func nameString(_ name: String) -> JSStringRef {
        if let known = nameCache[name] { return known }
        let new = JSText.make(name)
        nameCache[name] = new
        return new
    }
}
