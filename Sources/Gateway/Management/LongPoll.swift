import Core

/// Waits with an answer until there is something to tell.
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
        // What another run has counted says nothing here.
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

    /// The answer.
    func json<Entry>(_ page: FollowPage<Entry>, _ entry: (Entry) -> JSONValue) -> JSONValue {
        var object: JSONObject = [
            "run": .string(run), "entries": .array(page.entries.map(entry)), "last": .number(Double(page.last)),
            "lost": .number(Double(page.lost)),
        ]
        if bell.isClosed { object["stopping"] = true }
        return .object(object)
    }
}
