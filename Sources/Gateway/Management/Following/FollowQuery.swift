import Core

/// How a client asks for the next part of a series: `?run=…&after=…&limit=…&wait=…`.
struct FollowQuery: Sendable, Hashable {
    static let parameters: [ManagementRoute.Parameter] = [
        .query("run", .name, "'run' of the previous answer."),
        .query(
            "after", .count,
            "'last' of the previous answer: entries after it, oldest first; without it, the newest entries."),
        .query("limit", .integer(1...1000), "The largest number of entries; the default is 100."),
        // Proxies close connections that are silent for a minute.
        .query("wait", .number(0...55), "Seconds to wait for a new entry."),
    ]

    /// The run of the server that `after` is of.
    let run: String?
    /// The last number that is known; `nil` at the beginning.
    let after: Int?
    let limit: Int
    /// How long an answer may wait for a new entry.
    let wait: Duration

    init(_ input: ManagementInput) {
        (run, after, limit) = (input.text("run"), input.integer("after"), input.limit)
        wait = .seconds(input.parameters["wait"]?.number ?? 0)
    }
}
