import Core
import Installation
import Logging
import PushModel
import Storage

extension ManagementAPI {
    static let logRoutes: [ManagementRoute] = [
        followingRoute(
            "logs", "Read or follow the server's log, oldest line first.",
            [
                .query("level", .choice(Logger.Level.allCases.map(\.rawValue)), "This level and those above it."),
                .query("adapter", .name, "Lines about this adapter."),
            ], bell: { $0.logs.bell }, run: { $0.logs.run }
        ) { api, input, poll in
            let filter = LogBuffer.Filter(
                level: input.text("level").flatMap { Logger.Level(rawValue: $0) }, adapter: input.text("adapter"))
            let page = await poll.page { api.logs.page(after: $0, matching: filter, limit: poll.query.limit) }
            return poll.json(page, \.json)
        },
        .get(
            "client-log", "List the entries that clients have logged and uploaded, newest first.",
            [
                .query("level", .text(1...100), "Entries of this level."),
                .query("application", .name, "Entries of this application."),
                .query("device", .name, "Entries of this device."),
                .query("text", .name, "Entries with this string in the message or package; case does not matter."),
            ] + pageParameters,
            answer: .page(
                of: .object([
                    .required("number", .count), .required("received", .time), .required("level", .anyText),
                    .required("package", .anyText), .required("message", .anyText), .optional("time", .time),
                    .optional("application", .anyText), .optional("version", .anyText),
                    .optional("environment", .anyText), .optional("device", .anyText), .optional("model", .anyText),
                    .optional("os", .anyText), .optional("metadata", .anything),
                ]))
        ) { api, input in
            let filter = ClientLogFilter(
                levels: input.text("level").map { [ClientLogLevel($0)] } ?? [],
                applicationID: input.text("application"), deviceID: input.text("device"), text: input.text("text"),
                before: try input.cursor().map { Int(try $0.integer(0)) })
            let entries = try await runBlocking { [log = api.installation.telemetry.clientLog, limit = input.limit] in
                try log.clientLog(matching: filter, limit: limit)
            }
            let isFull = entries.count == input.limit
            return Self.page(
                entries.map(\.json), next: isFull ? entries.last.map { [.number(Double($0.sequence))] } : nil)
        },
    ]

    /// Makes a route that returns a series of entries, and waits for new ones.
    ///
    /// - Parameters:
    ///   - bell: the signal with the number of the last entry.
    ///   - run: the id of the server's run to which the numbers belong.
    static func followingRoute(
        _ path: String, _ summary: String, _ parameters: [ManagementRoute.Parameter],
        bell: @escaping @Sendable (ManagementAPI) -> ChangeSignal, run: @escaping @Sendable (ManagementAPI) -> String,
        _ read: @escaping @Sendable (ManagementAPI, ManagementInput, LongPoll) async throws -> JSONValue
    ) -> ManagementRoute {
        .get(
            path, summary, parameters + FollowQuery.parameters,
            answer: .object([
                .required("run", .anyText), .required("entries", .list(.anything)), .required("last", .count),
                .required("lost", .count), .optional("stopping", .bool),
            ]), isInteractive: true
        ) { api, input in
            let poll = LongPoll(
                query: FollowQuery(input), run: run(api), bell: bell(api), time: api.installation.time)
            return try await read(api, input, poll)
        }
    }
}
