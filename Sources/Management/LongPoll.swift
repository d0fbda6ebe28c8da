import Core

/// Delays a response until there is news.
struct LongPoll: Sendable {
    let query: FollowQuery
    /// Which run of the server the numbers are of.
    let run: String
    let bell: ChangeSignal
    let time: any TimeSource

    /// - Parameter read: what there is after a number, or the newest for `nil`.
    /// - Returns: the first page that is not empty, or what there is when the time is over.
    func page<Entry>(_ read: (_ after: Int?) async throws -> FollowPage<Entry>) async rethrows -> FollowPage<Entry> {
        let deadline = time.uptime + query.wait
        // Numbers from another run mean nothing here.
        var after = query.run == nil || query.run == run ? query.after : query.after.map { _ in 0 }
        var lost = 0
        while true {
            var page = try await read(after)
            lost += page.lost
            page.lost = lost
            let isOver = query.after == nil || time.uptime >= deadline || bell.isClosed || Task.isCancelled
            if isOver || !page.entries.isEmpty || lost > 0 { return page }
            after = page.last
            await bell.wait(beyond: page.last, until: deadline, time: time)
        }
    }

    /// Returns the response.
    func json<Entry>(_ page: FollowPage<Entry>, _ entry: (Entry) -> JSONValue) -> JSONValue {
        var object: JSONObject = [
            "run": .string(run), "entries": .array(page.entries.map(entry)), "last": .number(Double(page.last)),
            "lost": .number(Double(page.lost)),
        ]
        if bell.isClosed { object["stopping"] = true }
        return .object(object)
    }
}

/// A page of a series that a client follows.
struct FollowPage<Entry: Sendable>: Sendable {
    var entries: [Entry]
    /// The number of the last entry: the next page begins after it.
    var last: Int
    /// The number of entries that were dropped before they could be read.
    var lost: Int
}

/// A client's request for the next part of a series: `?run=…&after=…&limit=…&wait=…`.
struct FollowQuery: Sendable, Hashable {
    static let parameters: [ManagementRoute.Parameter] = [
        .query("run", .name, "'run' of the previous response."),
        .query(
            "after", .count,
            "'last' of the previous response: entries after it, oldest first; without it, the newest entries."),
        .query("limit", .integer(1...1000), "The largest number of entries; the default is 100."),
        // Proxies close connections that are silent for a minute.
        .query("wait", .number(0...55), "Seconds to wait for a new entry."),
    ]

    /// The run of the server that `after` is of.
    let run: String?
    /// The last number that is known; `nil` at the beginning.
    let after: Int?
    let limit: Int
    /// The time for which a response may wait for a new entry.
    let wait: Duration

    init(_ input: ManagementInput) {
        (run, after, limit) = (input.text("run"), input.integer("after"), input.limit)
        wait = .seconds(input.parameters["wait"]?.number ?? 0)
    }
}
