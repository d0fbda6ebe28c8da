extension AdapterRuntime {
    /// Evaluates code in the scope that the adapter has for this, as a line of a conversation: variables, `let` and `const` among
    /// them, stay for the next; `$_` is the last value. Rhino's syntax is translated, as in scripts. The limits
    /// of calls hold, and cancelling the task ends the evaluation.
    ///
    /// - Parameter line: the number of the code's first line, for errors.
    /// - Throws: ``UnknownNameError``, and any error of loading the script; an exception of the code is in the reply.
    public func converse(
        _ code: String, adapter: String, line: Int = 1, caller: Caller = Caller()
    ) async throws -> EvaluationReply {
        try await runInConversation(adapter, caller) { $0.converse(code, line: line) }
    }

    /// Returns the names with which code could go on.
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

/// The result of code that was evaluated in an adapter's scope.
public struct EvaluationReply: Sendable, Hashable, Codable {
    /// The value, or the error, as an author reads it; `nil` when the code ends too early.
    public var shown: String?
    /// True if the code ends too early: more lines may follow.
    public var isIncomplete = false
    /// True if the code was evaluated, and threw nothing.
    public var isSuccessful = true
    /// The lines the adapter logged during the evaluation; the log itself does not get them.
    public var lines: [String] = []
    /// The possible completions of the code, if they were requested.
    public var completions: [String] = []

    public init() {}
}
