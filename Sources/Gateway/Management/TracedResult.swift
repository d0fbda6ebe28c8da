/// The result of a call, and what it did.
struct TracedResult: Sendable {
    /// JSON.
    let result: String
    /// JSON; `nil` when nobody asked for it.
    var trace: String?
}
