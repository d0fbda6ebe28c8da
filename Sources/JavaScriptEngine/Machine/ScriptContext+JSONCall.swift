import CJavaScriptCore

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
public enum JSONCallRefusal: Error, Hashable {
    /// There is no member of the global object that is a function of that name.
    case noSuchFunction
    /// The arguments are not a JSON array.
    case argumentsAreNoArray
}

extension ScriptContext {
    /// Calls a function of the global object with JSON in and JSON out.
    ///
    /// The whole call is one entry into the engine, since each takes its lock anew; a piece of script at the other end parses,
    /// calls and writes.
    ///
    /// - Parameter arguments: a JSON array.
    /// - Throws: ``ScriptException``, ``JSONCallRefusal``.
    public func call(_ name: String, jsonArguments arguments: String) throws -> JSONReturn {
        try call({ nameString(name) }, arguments)
    }

    /// Calls a function with JSON in and JSON out.
    ///
    /// - Throws: as ``call(_:jsonArguments:)-(String,_)``.
    public func call(_ function: ScriptValue, jsonArguments arguments: String) throws -> JSONReturn {
        try call({ function.reference }, arguments)
    }

    private func call(_ target: () -> JSValueRef?, _ arguments: String) throws -> JSONReturn {
        // The collector looks for values on the stack, so that is where these two must be.
        let result = try withUnsafeTemporaryAllocation(of: JSValueRef?.self, capacity: 2) { values in
            values.initialize(repeating: nil)
            values[0] = target()
            values[1] = makeString(arguments)
            return try checked { JSObjectCallAsFunction(reference, builtIns.caller, nil, 2, values.baseAddress, $0) }
        }
        guard let result, JSValueIsString(reference, result),
            let copy = JSValueToStringCopy(reference, result, nil)
        else {
            let code = JSValueToNumber(reference, result, nil)
            throw code == 1 ? JSONCallRefusal.noSuchFunction : .argumentsAreNoArray
        }
        var text = JSText.take(copy)
        let kind = text.utf8.first.flatMap(JSONReturn.Kind.init) ?? .nothing
        // A letter before the text tells the kind; what is commonest has none.
        if kind != .unmarkedObject { text.removeFirst() }
        return JSONReturn(kind: kind, json: text)
    }

    private func makeString(_ text: String) -> JSValueRef? {
        let string = JSText.make(text)
        defer { JSStringRelease(string) }
        return JSValueMakeString(reference, string)
    }

    /// Names are few, so they are kept; the engine then finds the member sooner, too.
    private func nameString(_ name: String) -> JSValueRef? {
        if let known = nameCache[name] { return known }
        guard let new = makeString(name) else { return nil }
        JSValueProtect(reference, new)
        nameCache[name] = new
        return new
    }

    /// What errors call the script that parses and writes for calls: what it throws itself, a result is the reason of.
    public static let jsonCallerFile = "lamplighter:call"
}
