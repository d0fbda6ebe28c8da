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
