extension AdapterRuntime {
    /// Evaluates code in a scope that the adapter has for this, as a line of a conversation: variables, `let` and `const` among
    /// them, stay for the next; `$_` is the last value. Rhino's syntax is translated, as in scripts. The limits
    /// of calls hold, and with the task's cancellation it is ended.
    ///
    /// - Parameter line: the number of the code's first line, for errors.
    /// - Throws: ``UnknownNameError``, and what loading the script throws; what the code throws is in the reply.
    public func converse(
        _ code: String, adapter: String, line: Int = 1, caller: Caller = Caller()
    ) async throws -> EvaluationReply {
        try await runInConversation(adapter, caller) { $0.converse(code, line: line) }
    }

    /// The names with which code could go on.
    ///
    /// - Throws: as ``converse(_:adapter:line:caller:)``.
    public func completions(
        of code: String, adapter: String, caller: Caller = Caller()
    ) async throws -> EvaluationReply {
        try await runInConversation(adapter, caller) { scope in
            var reply = EvaluationReply()
            reply.completions = scope.completions(of: code)
            return reply
        }
    }

    private func runInConversation(
        _ name: String, _ caller: Caller, _ body: @escaping @Sendable (AdapterScope) throws -> EvaluationReply
    ) async throws -> EvaluationReply {
        let loaded = try adapter(named: name)
        return try await caller.withTaskCancellation { caller in
            try await loaded.common.pool.run(loaded.common, for: .conversation(adapter: name), caller: caller, body)
        }
    }
}

/// What came of code that was evaluated in an adapter's scope.
public struct EvaluationReply: Sendable, Hashable, Codable {
    /// The value, or the error, as an author reads it; `nil` when the code ends too early.
    public var shown: String?
    /// Whether the code ends too early: more lines may follow.
    public var isIncomplete = false
    /// Whether the code was evaluated, and threw nothing.
    public var isSuccessful = true
    /// What was written to the log meanwhile, in this adapter's name: it went nowhere else.
    public var lines: [String] = []
    /// The names with which the code could go on, when that was asked for.
    public var completions: [String] = []

    public init() {}
}
