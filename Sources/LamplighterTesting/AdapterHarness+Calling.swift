package import AdapterRuntime
public import Core
import JavaScriptEngine

extension AdapterHarness {
    /// Calls a procedure without a session, as back ends and the command line do, and returns the value that the function returned.
    ///
    /// For a value that is not an object, the server's response is an envelope: an object with the member `result` or `array`. This
    /// function returns the value without the envelope; ``reply(_:_:fileID:line:)`` returns the response.
    ///
    /// ```swift
    /// let product = try await harness.call("Catalog/find", 7)
    /// #expect(product["name"] == "Lamp")
    /// ```
    ///
    /// - Parameter procedure: `Adapter/procedure`, or only the procedure's name if ``Options/adapter`` is set or the project has one adapter.
    /// - Throws: ``CallError`` with the JavaScript stack when the script threw or was stopped, when the procedure does not exist, and when
    ///   the script sent a request to a stubbed back end that has no stub for it; ``HarnessMisuseError``.
    @discardableResult
    public func call(
        _ procedure: String, _ arguments: JSONValue..., fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue {
        try await TestPlace(fileID: fileID, line: line).during {
            try await call(procedure, arguments, caller: .backEnd)
        }
    }

    /// Calls a procedure without a session and returns the response that a client would receive: always an object with `isSuccessful`.
    /// A script that throws leads to a response with `isSuccessful: false`, not to a thrown error.
    ///
    /// - Throws: ``UnansweredRequestsError`` when the stub of a back end threw; ``HarnessMisuseError``.
    public func reply(
        _ procedure: String, _ arguments: JSONValue..., fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue {
        try await TestPlace(fileID: fileID, line: line).during {
            try await reply(procedure, arguments, caller: .backEnd)
        }
    }

    /// Evaluates a JavaScript expression in an adapter and returns its value. The expression runs in the scope of a call without a
    /// session, with the adapter's functions, and its variables as they are after the script was loaded.
    ///
    /// - Parameter adapter: the adapter's name; ``Options/adapter``, or the project's only adapter, when `nil`.
    /// - Returns: the value; `nil` for one that JSON cannot represent, such as `undefined` or a function.
    /// - Throws: ``EvaluationError`` with the JavaScript stack, ``UnansweredRequestsError``, ``HarnessMisuseError``.
    public func evaluate(
        _ expression: String, in adapter: String? = nil, fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue? {
        try await TestPlace(fileID: fileID, line: line).during {
            try backEnds.checkUse()
            let name = try adapterName(adapter)
            let watch = HarnessRecorder()
            let text: String?
            do {
                text = try await watch.during { try await runtime.evaluate(expression, adapter: name) }
            } catch {
                try watch.troubles.check(tolerating: true)
                throw EvaluationError(reason: "\(error)", errorName: (error as? ScriptError)?.name)
            }
            try watch.troubles.check(tolerating: false)
            return try text.map { try JSONValue(parsing: $0) }
        }
    }

    package func call(_ procedure: String, _ arguments: [JSONValue], caller: Caller) async throws -> JSONValue {
        try backEnds.checkUse()
        let watch = HarnessRecorder()
        let (name, result) = try await watch.during { try await invoke(procedure, arguments, caller) }
        // A request without a stub is often the cause of the script's error, which then names it. A stub that threw is always reported.
        let troubles = watch.troubles.filter { result.trouble == nil || $0.isFailure }.map(\.message)
        let reasons = [result.trouble].compactMap(\.self) + troubles
        guard reasons.isEmpty else {
            throw CallError(
                procedure: name, reason: reasons.joined(separator: "\n"), errorName: result.errorName)
        }
        let answer = try JSONValue(parsing: result.json)
        guard result.isBare else { return answer }
        return answer["result"] ?? answer["array"] ?? .null
    }

    package func reply(_ procedure: String, _ arguments: [JSONValue], caller: Caller) async throws -> JSONValue {
        try backEnds.checkUse()
        let watch = HarnessRecorder()
        let (_, result) = try await watch.during { try await invoke(procedure, arguments, caller) }
        try watch.troubles.check(tolerating: true)
        return (try? JSONValue(parsing: result.json)) ?? .null
    }

    private func invoke(
        _ procedure: String, _ arguments: [JSONValue], _ caller: Caller
    ) async throws(HarnessMisuseError) -> (name: String, result: ProcedureResult) {
        let (adapter, name) = try split(procedure)
        let result = await runtime.invoke(
            adapter: adapter, procedure: name, parameters: JSONValue.array(arguments).text, caller: caller)
        return ("\(adapter)/\(name)", result)
    }

    /// Splits `Adapter/procedure` into its two names. A name without a slash belongs to the default adapter.
    ///
    /// - Throws: ``HarnessMisuseError`` when the name has no adapter and the project has several.
    func split(_ name: String) throws(HarnessMisuseError) -> (adapter: String, rest: String) {
        let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : (try adapterName(nil), name)
    }
}

/// An error for a call that did not end with a result.
public struct CallError: HarnessError, Hashable {
    /// The procedure, as `Adapter/procedure`.
    public let procedure: String
    /// The reason, with the JavaScript stack if there is one.
    public let reason: String
    /// The class of the error that the script threw, such as `TypeError`; `nil` when it threw none, or a value that is not an Error.
    public let errorName: String?
    public var place: TestPlace?

    init(procedure: String, reason: String, errorName: String? = nil) {
        (self.procedure, self.reason, self.errorName) = (procedure, reason, errorName)
    }

    public var message: String { "\(procedure) failed: \(reason)" }
}

/// An error for an expression that threw, or whose adapter could not be loaded.
public struct EvaluationError: HarnessError, Hashable {
    /// The reason, with the JavaScript stack if there is one.
    public let reason: String
    /// The class of the error that the expression threw, such as `TypeError`; `nil` when it threw none, or a value that is not an Error.
    public let errorName: String?
    public var place: TestPlace?

    init(reason: String, errorName: String?) {
        (self.reason, self.errorName) = (reason, errorName)
    }

    public var message: String { reason }
}
