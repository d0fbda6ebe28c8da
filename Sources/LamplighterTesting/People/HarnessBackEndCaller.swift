public import AdapterRuntime
public import Core

/// Who calls without a session, as back ends do, with a request that says what the test wants it to say.
public struct HarnessBackEndCaller: Sendable {
    let harness: AdapterHarness
    /// The request that `getClientRequest` returns to adapters.
    public let request: ClientRequest

    /// Calls a procedure; see ``AdapterHarness/call(_:_:)``.
    ///
    /// - Throws: ``CallError``.
    @discardableResult
    public func call(
        _ procedure: String, _ arguments: JSONValue..., fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue {
        try await TestPlace(fileID: fileID, line: line).during {
            try await harness.call(procedure, arguments, caller: Caller(request: request))
        }
    }

    /// Calls a procedure and returns the response; see ``AdapterHarness/reply(_:_:)``.
    ///
    /// - Throws: ``UnansweredRequestsError`` when what answers in place of a back end has thrown.
    public func reply(
        _ procedure: String, _ arguments: JSONValue..., fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue {
        try await TestPlace(fileID: fileID, line: line).during {
            try await harness.reply(procedure, arguments, caller: Caller(request: request))
        }
    }
}

extension AdapterHarness {
    /// Who calls without a session, with this request: its headers, say, or the address that it comes from.
    public func withRequest(_ request: ClientRequest) -> HarnessBackEndCaller {
        HarnessBackEndCaller(harness: self, request: request)
    }
}

extension Caller {
    /// A back end of which nothing is known.
    package static var backEnd: Caller {
        Caller(request: ClientRequest(method: "POST", url: "http://localhost/invoke"))
    }
}
