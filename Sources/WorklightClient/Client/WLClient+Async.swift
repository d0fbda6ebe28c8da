/// Asynchronous calls for new code. They return the response that delegates receive, and throw ``WLError``.
extension WLClient {
    /// Connects to the server; see ``wlConnect(with:cookieExtractor:)``.
    ///
    /// - Throws: ``WLError``.
    @discardableResult
    public func connect(cookieExtractor: WLCookieExtractor? = nil) async throws -> WLAnswer {
        try await core().connect(sharing: cookieExtractor)
    }

    /// Calls an adapter's procedure, with the timeout ``WorklightSettings/requestTimeout``; see
    /// ``invokeProcedure(_:with:options:)``.
    ///
    /// ```swift
    /// struct Account: Decodable { var balance: Double }
    ///
    /// let account = try await client.invoke("Accounts", "find", "123-456-789").decode(Account.self)
    /// ```
    ///
    /// - Parameter parameters: strings, numbers, Booleans, and other values that can be encoded as JSON.
    /// - Returns: the response, whose `isSuccessful` is true.
    /// - Throws: ``WLError``, also when the procedure failed.
    public func invoke(
        _ adapter: String, _ procedure: String, _ parameters: (any Encodable & Sendable)...
    ) async throws -> WLAnswer {
        try await invoke(adapter, procedure, parameters, timeout: .standard)
    }

    /// Calls an adapter's procedure, with a timeout; see ``invokeProcedure(_:with:options:)``.
    ///
    /// - Parameters:
    ///   - parameters: strings, numbers, Booleans, and other values that can be encoded as JSON.
    ///   - timeout: the maximum time until the complete response; `nil` for no limit.
    /// - Returns: the response, whose `isSuccessful` is true.
    /// - Throws: ``WLError``, also when the procedure failed.
    public func invoke(
        _ adapter: String, _ procedure: String, _ parameters: (any Encodable & Sendable)..., timeout: Duration?
    ) async throws -> WLAnswer {
        try await invoke(adapter, procedure, parameters, timeout: RequestTimeout(timeout))
    }

    private func invoke(
        _ adapter: String, _ procedure: String, _ parameters: [any Encodable & Sendable], timeout: RequestTimeout
    ) async throws -> WLAnswer {
        let core = try core()
        try await core.requireConnection(for: "invoke")
        let text = try JSONText.array(of: parameters, for: "\(adapter)/\(procedure)")
        return try await core.invoke(adapter: adapter, procedure: procedure, parameters: text, timeout: timeout)
    }

    /// Reports an activity of the user to the server; see ``logActivity(_:)``.
    ///
    /// - Throws: ``WLError``.
    public func log(activity: String) async throws {
        try await report(activity: activity)
    }
}
