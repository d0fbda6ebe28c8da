public import AdapterRuntime
public import Core

/// A caller without a session, such as a back end, with a request that the test sets.
public struct HarnessBackEndCaller: Sendable {
    let harness: AdapterHarness
    /// The request that `getClientRequest` returns to adapters.
    public let request: ClientRequest

    /// Calls a procedure and returns the value that its function returned; see ``AdapterHarness/call(_:_:fileID:line:)``.
    ///
    /// - Throws: ``CallError``, ``HarnessMisuseError``.
    @discardableResult
    public func call(
        _ procedure: String, _ arguments: JSONValue..., fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue {
        try await TestPlace(fileID: fileID, line: line).during {
            try await harness.call(procedure, arguments, caller: Caller(request: request))
        }
    }

    /// Calls a procedure and returns the response; see ``AdapterHarness/reply(_:_:fileID:line:)``.
    ///
    /// - Throws: ``UnansweredRequestsError`` when the stub of a back end threw; ``HarnessMisuseError``.
    public func reply(
        _ procedure: String, _ arguments: JSONValue..., fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue {
        try await TestPlace(fileID: fileID, line: line).during {
            try await harness.reply(procedure, arguments, caller: Caller(request: request))
        }
    }
}

extension AdapterHarness {
    /// Returns a caller without a session whose calls have this request, for example with headers or a client address.
    ///
    /// ```swift
    /// let request = ClientRequest(method: "POST", url: "http://localhost/invoke")
    /// try await harness.withRequest(request).call("Catalog/find", 7)
    /// ```
    public func withRequest(_ request: ClientRequest) -> HarnessBackEndCaller {
        HarnessBackEndCaller(harness: self, request: request)
    }
}

extension Caller {
    /// A back end that calls without a session and without further headers.
    package static var backEnd: Caller {
        Caller(request: ClientRequest(method: "POST", url: "http://localhost/invoke"))
    }
}
