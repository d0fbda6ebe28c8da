package import AdapterRuntime
public import Core
import JavaScriptEngine

extension AdapterHarness {
    /// Calls a procedure without a session, as back ends and the command line do, and returns its answer: what the
    /// function returned, without the envelope that the wire adds to a value that is not an object.
    ///
    /// - Parameter procedure: `Adapter/procedure`, or only its name where ``Options/adapter`` says which adapter is meant.
    /// - Throws: ``CallError`` with the JavaScript stack when the script threw or was stopped, when there is no such
    ///   procedure, or when it asked a stubbed back end for what nothing answers.
    @discardableResult
    public func call(
        _ procedure: String, _ arguments: JSONValue..., fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue {
        try await TestPlace(fileID: fileID, line: line).during {
            try await call(procedure, arguments, caller: .backEnd)
        }
    }

    /// Calls a procedure and gives the answer that goes over the wire, an error included: always an object with
    /// `isSuccessful`.
    ///
    /// - Throws: ``UnansweredRequestsError`` when what answers in place of a back end has thrown.
    public func reply(
        _ procedure: String, _ arguments: JSONValue..., fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue {
        try await TestPlace(fileID: fileID, line: line).during {
            try await reply(procedure, arguments, caller: .backEnd)
        }
    }

    /// What an expression gives in a scope of an adapter as a call without a session gets it: its functions, and its variables as they
    /// are when the script has been loaded.
    ///
    /// - Returns: `nil` for what JSON has no word for.
    /// - Throws: ``HarnessMisuseError``, ``UnansweredRequestsError``, ``EvaluationError`` with the JavaScript stack.
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
        // What a script throws is often what comes of a request without an answer; what a stub threw is told in any case.
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

    /// `Adapter/procedure`, or `procedure` of the adapter that is meant.
    func split(_ name: String) throws(HarnessMisuseError) -> (adapter: String, rest: String) {
        let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : (try adapterName(nil), name)
    }
}

/// A call that did not end with a result.
public struct CallError: HarnessError, Hashable {
    /// `Adapter/procedure`.
    public let procedure: String
    /// With the JavaScript stack where there is one.
    public let reason: String
    /// The class of the error that the script threw, such as `TypeError`; `nil` when it threw none, or a value that is not an Error.
    public let errorName: String?
    public var place: TestPlace?

    init(procedure: String, reason: String, errorName: String? = nil) {
        (self.procedure, self.reason, self.errorName) = (procedure, reason, errorName)
    }

    public var message: String { "\(procedure) failed: \(reason)" }
}

/// An expression that threw, or whose adapter could not be loaded.
public struct EvaluationError: HarnessError, Hashable {
    /// With the JavaScript stack where there is one.
    public let reason: String
    /// The class of the error that the expression threw, such as `TypeError`; `nil` when it threw none, or a value that is not an Error.
    public let errorName: String?
    public var place: TestPlace?

    init(reason: String, errorName: String?) {
        (self.reason, self.errorName) = (reason, errorName)
    }

    public var message: String { reason }
}
