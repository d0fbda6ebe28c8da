/// The result of a call, and what it did.
struct TracedResult: Sendable {
    /// JSON.
    let result: String
    /// Whether the call did what it was to do.
    var isSuccessful = true
    /// JSON; `nil` when the caller did not ask for it.
    var trace: String?
}
