package import AdapterRuntime
public import PushModel

extension AdapterHarness {
    /// Calls a procedure without a session, as back ends and the command line do, and gives what it answers: what the
    /// function returned, without the envelope that the wire adds to what is no object.
    ///
    /// - Parameter procedure: `Adapter/procedure`, or only its name where ``Options/adapter`` says which adapter is meant.
    /// - Throws: ``CallFailure`` with the JavaScript stack when the script threw or was stopped, when there is no such
    ///   procedure, or when it asked a stubbed back end for what nothing answers.
    @discardableResult
    public func call(_ procedure: String, _ arguments: JSONValue...) async throws -> JSONValue {
        try await call(procedure, arguments, caller: Caller())
    }

    /// Calls a procedure and gives the answer that goes over the wire, an error included: always an object with
    /// `isSuccessful`.
    ///
    /// - Throws: ``UnansweredRequests`` when what answers in place of a back end has thrown.
    public func reply(_ procedure: String, _ arguments: JSONValue...) async throws -> JSONValue {
        try await reply(procedure, arguments, caller: Caller())
    }

    /// What an expression gives in the scope of an adapter in which calls without a session run: its variables and functions.
    ///
    /// - Returns: `nil` for what JSON has no word for.
    /// - Throws: `ScriptException` and the like, ``UnansweredRequests``.
    public func evaluate(_ expression: String, in adapter: String? = nil) async throws -> JSONValue? {
        let watch = HarnessWatch()
        let text: String?
        do {
            text = try await watch.during {
                try await runtime.evaluate(expression, adapter: adapter ?? defaultAdapter ?? "")
            }
        } catch {
            try watch.troubles.check(tolerating: true)
            throw error
        }
        try watch.troubles.check(tolerating: false)
        return try text.map { try JSONValue(parsing: $0) }
    }

    package func call(_ procedure: String, _ arguments: [JSONValue], caller: Caller) async throws -> JSONValue {
        let watch = HarnessWatch()
        let (name, result) = await watch.during { await invoke(procedure, arguments, caller) }
        // What a script throws is often what comes of a request without an answer; what a stub threw is told in any case.
        let troubles = watch.troubles.filter { result.trouble == nil || $0.isFailure }.map(\.message)
        let reasons = [result.trouble].compactMap(\.self) + troubles
        guard reasons.isEmpty else { throw CallFailure(procedure: name, reason: reasons.joined(separator: "\n")) }
        let answer = try JSONValue(parsing: result.json)
        guard result.isBare else { return answer }
        return answer["result"] ?? answer["array"] ?? .null
    }

    package func reply(_ procedure: String, _ arguments: [JSONValue], caller: Caller) async throws -> JSONValue {
        let watch = HarnessWatch()
        let (_, result) = await watch.during { await invoke(procedure, arguments, caller) }
        try watch.troubles.check(tolerating: true)
        return (try? JSONValue(parsing: result.json)) ?? .null
    }

    private func invoke(
        _ procedure: String, _ arguments: [JSONValue], _ caller: Caller
    ) async -> (name: String, result: ProcedureResult) {
        let (adapter, name) = split(procedure)
        let result = await runtime.invoke(
            adapter: adapter, procedure: name, parameters: JSONValue.array(arguments).text, caller: caller)
        return ("\(adapter)/\(name)", result)
    }

    /// `Adapter/procedure`, or `procedure` of the adapter that is meant.
    private func split(_ name: String) -> (adapter: String, rest: String) {
        let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : (defaultAdapter ?? "", name)
    }

    /// `Adapter.EventSource`, or `EventSource` of the adapter that is meant.
    func eventSource(_ name: String) -> EventSourceID {
        EventSourceID(name) ?? EventSourceID(adapter: defaultAdapter ?? "", name: name)
    }
}

/// A call that did not end with a result.
public struct CallFailure: Error, Hashable, CustomStringConvertible {
    /// `Adapter/procedure`.
    public let procedure: String
    /// With the JavaScript stack where there is one.
    public let reason: String

    public var description: String { "\(procedure) failed: \(reason)" }
}
