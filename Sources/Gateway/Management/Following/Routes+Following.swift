import Hummingbird
import Logging
import PushModel
import Storage

/// What `lamplighter logs` and `lamplighter deliveries --follow` ask for, again and again: `?run=…&after=…&wait=25`.
///
/// The answer is `{run, entries, last, lost}`, and `stopping` when the server is about to end: `last` is the next request's
/// `after`, `lost` how many entries were dropped before they could be told, `run` tells this run of the server from others.
/// Without `after` the answer comes at once.
extension Routes {
    /// More than a screen holds, and little enough to be put together at once.
    private static let mostEntries = 1000

    func addFollowing(to management: RouterGroup<GatewayContext>) {
        management.get("logs") { request, context in
            await follow(request, context, logs.bell, run: logs.run) { fields, poll in
                let filter = LogBook.Filter(level: try Self.level(fields["level"]), adapter: fields["adapter"])
                let page = await poll.page { logs.page(after: $0, matching: filter, limit: poll.query.limit) }
                return poll.json(page, \.json)
            }
        }
        management.get("deliveries/changes") { request, context in
            let store = installation.store
            return await follow(request, context, store.changeBell, run: store.run) { fields, poll in
                let state = try Installation.deliveryState(fields["state"])
                let page = try await poll.page { after in
                    let page = try await offLoop {
                        try store.deliveryChanges(after: after, state: state, limit: poll.query.limit)
                    }
                    return FollowPage(entries: page.changes, last: page.last, lost: page.lost)
                }
                return poll.json(page, \.json)
            }
        }
    }

    /// Answers when `body` does, or not at all when the client goes away before.
    private func follow(
        _ request: Request, _ context: GatewayContext, _ bell: NewsBell, run: String,
        _ body: @escaping @Sendable (FormFields, LongPoll) async throws -> JSONValue
    ) async -> Response {
        var response: Response
        do {
            let fields = FormFields(request.uri.query ?? "")
            let query = try FollowQuery(fields, mostEntries: Self.mostEntries)
            let poll = LongPoll(query: query, run: run, bell: bell, time: installation.time)
            let answer = try await request.body.consumeWithCancellationOnInboundClose { _ in
                try await body(fields, poll)
            }
            response = Self.json(answer.text)
        } catch let error as StoreError {
            installation.logger.error("\(error)")
            response = Self.failure("\(error)", status: .internalServerError)
        } catch {
            response = Self.failure("\(error)", status: .badRequest)
        }
        // Hummingbird closes a connection on which it has looked out for the client's going away.
        if !context.isStream { response.headers[.connection] = "close" }
        return response
    }

    private static func level(_ text: String?) throws(ManagementError) -> Logger.Level? {
        guard let text else { return nil }
        guard let level = Logger.Level(rawValue: text) else {
            let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw ManagementError(field: "level", reason: "'\(text.prefix(100))' is none of \(known)")
        }
        return level
    }
}
