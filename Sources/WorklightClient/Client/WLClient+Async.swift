/// The same calls for new code: they return what delegates get, and throw ``WLError``.
extension WLClient {
    /// Connects; see ``wlConnect(with:cookieExtractor:)``.
    ///
    /// - Throws: ``WLError``.
    @discardableResult
    public func connect(cookieExtractor: WLCookieExtractor? = nil) async throws -> WLAnswer {
        try await core().connect(sharing: cookieExtractor)
    }

    /// Calls an adapter's procedure and waits for the answer as long as ``WorklightSettings/requestTimeout`` says; see
    /// ``invokeProcedure(_:with:options:)``.
    ///
    /// - Parameter parameters: texts, numbers, Booleans, and whatever else becomes JSON.
    /// - Returns: the answer, whose `isSuccessful` is true.
    /// - Throws: ``WLError``, also when the procedure failed.
    public func invoke(
        _ adapter: String, _ procedure: String, _ parameters: (any Encodable & Sendable)...
    ) async throws -> WLAnswer {
        try await invoke(adapter, procedure, parameters, timeout: .standard)
    }

    /// Calls an adapter's procedure; see ``invokeProcedure(_:with:options:)``.
    ///
    /// - Parameters:
    ///   - parameters: texts, numbers, Booleans, and whatever else becomes JSON.
    ///   - timeout: how long to wait for the answer; `nil` for no limit.
    /// - Returns: the answer, whose `isSuccessful` is true.
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

    /// Reports what the user does; see ``logActivity(_:)``.
    ///
    /// - Throws: ``WLError``.
    public func log(activity: String) async throws {
        try await report(activity: activity)
    }
}
