public import ArgumentParser
import Core
import Foundation
public import Management
import PushModel

struct DeliveriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries", abstract: "List queued and ended deliveries, newest first.",
        discussion: """
            With --follow, a running server reports each new delivery and each change of a delivery's state as it happens, in \
            a line each: time, state, platform, recipient, alert text, and the reason why it is not delivered.
            """)

    @Argument(
        help:
            "A delivery's number; shows the delivery with its failed attempts and requests; with --json also its payload."
    )
    var number: Int?

    @Flag(help: "Queue the delivery of that number again, as a new delivery of the same message.")
    var retry = false

    @Flag(
        help: "Cancel the queued delivery of that number, or, with --state queued, all that the other options select.")
    var cancel = false

    @Option(help: ArgumentHelp("Only those of this message or notification. Not with --follow.", valueName: "id"))
    var message: String?

    @Flag(name: .shortAndLong, help: "Report changes from now on; Ctrl-C ends it.")
    var follow = false

    @Option(
        help: "Only those that are queued, sending, delivered, previewed, refused or expired.",
        completion: .list(DeliveryState.allCases.map(\.rawValue)))
    var state: DeliveryState?

    @Option(help: "Only those to this user. Not with --follow.")
    var user: String?

    @Option(help: "Only those to this device. Not with --follow.")
    var device: String?

    @Option(
        help: "Only those to this application. Not with --follow.", completion: ProjectCompletion.applications)
    var application: String?

    @Option(
        help: ArgumentHelp(
            "Only those created since then: 90s, 15m, 2h, 7d, or a time such as 2026-11-25T18:30:00Z. Not with --follow.",
            valueName: "time"))
    var since: PastTime?

    @Option(
        help: ArgumentHelp(
            "Only those created before then; written as --since is. Not with --follow.", valueName: "time"))
    var until: PastTime?

    @Option(help: "The largest number of deliveries; default: 100. Not with --follow.")
    var limit: Int?

    @OptionGroup var options: ProjectOptions

    func validate() throws {
        let given = [
            ("--limit", limit != nil), ("--user", user != nil), ("--device", device != nil),
            ("--application", application != nil), ("--since", since != nil), ("--until", until != nil),
            ("--message", message != nil), ("a number", number != nil),
        ]
        if number == nil, retry || cancel && state != .queued {
            throw ValidationError("expected a delivery's number" + (cancel ? ", or --state queued" : ""))
        }
        if cancel, follow { throw ValidationError("--cancel cannot be combined with --follow") }
        if retry, cancel { throw ValidationError("--retry and --cancel cannot be combined") }
        if number != nil, state != nil || given.dropLast().contains(where: \.1) {
            throw ValidationError("a number can be combined with --retry or --cancel only")
        }
        if follow, let option = given.first(where: \.1) {
            throw ValidationError("\(option.0) cannot be combined with --follow")
        }
        if let limit, !(1...1_000_000).contains(limit) {
            throw ValidationError("--limit \(limit): expected 1 to 1000000")
        }
    }

    func run() async throws {
        if let number {
            let call =
                retry || cancel
                ? ManagementCall("POST", "deliveries", "\(number)", retry ? "retry" : "cancel")
                : ManagementCall("GET", "deliveries", "\(number)")
            return try show(try await options.answer(call))
        }
        if cancel { return try await cancelAll() }
        guard follow else { return try await list() }
        let reader = try SeriesReader(
            options, path: ["deliveries", "changes"], reason: "--follow needs one",
            filter: [("state", state?.rawValue)])
        let page = try await reader.newest(1)
        CommandOutput.note("following the deliveries of \(reader.project); Ctrl-C ends it")
        try await reader.follow(page) { page in
            for change in page.entries {
                CommandOutput.writeResult(CommandOutput.isJSON ? change.text : DeliveryLine(change).text)
            }
        }
    }
}

extension DeliveriesCommand {
    private func show(_ answer: JSONReply) throws {
        guard !CommandOutput.isJSON else { return CommandOutput.writeResult(answer.text) }
        let delivery = try answer.value
        func text(_ key: String) -> String? { delivery[key].map { $0.string ?? $0.text } }
        func time(_ key: String) -> String? { text(key).map(TextTable.localTime) }
        let fields: [(String, String?)] = [
            ("Number", text("number")), ("State", text("state")), ("Reason", text("reason")),
            ("Waits for", text("waitsFor").map { "delivery \($0)" }), ("Text", text("text")),
            ("User", text("user")), ("Device", text("device")), ("Platform", text("platform")),
            ("Application", text("application")), ("Event source", text("eventSource")),
            ("Attempts", text("attempts")), ("Created", time("created")), ("Next attempt", time("due")),
            ("Ended", time("ended")), ("Expires", time("expires")), ("Message", text("message")), ("Id", text("id")),
            ("Service's id", text("serviceID")),
        ]
        var shown: [(String, String)] = []
        for (title, text) in fields {
            if let text { shown.append((title, text)) }
        }
        let attempts = (delivery["failedAttempts"]?.array ?? []).map { attempt in
            "\(TextTable.localTime(attempt["time"]?.string ?? "")): \(attempt["reason"]?.string ?? "")"
        }
        if !attempts.isEmpty { shown.append(("Failures", attempts.joined(separator: "\n"))) }
        for request in delivery["requests"]?.array ?? [] {
            let line = "\(request["method"]?.string ?? "") \(request["url"]?.string ?? "")"
            let body = request["body"].map { $0.string ?? $0.text } ?? ""
            shown.append(("Request", "\(line)\n\(body)"))
        }
        CommandOutput.writeFields(shown)
    }

    private func cancelAll() async throws {
        let deliveries = try await selected(limit: limit ?? 1_000_000)
        let count = try await withProgress("cancelling") {
            try await options.withBackend(mayCreateStore: false) { backend in
                var count = 0
                for number in deliveries.compactMap({ $0["number"]?.text }) {
                    do {
                        _ = try await backend.answer(ManagementCall("POST", "deliveries", number, "cancel"))
                        count += 1
                    } catch let error as CommandError where error.problem != nil {
                        // It was sent meanwhile.
                        continue
                    }
                }
                return count
            }
        }
        if CommandOutput.isJSON {
            CommandOutput.writeResult(JSONValue.object(["cancelled": .number(Double(count))]).text)
        } else {
            CommandOutput.writeResult("cancelled: \(count)")
        }
    }

    private func list() async throws {
        let deliveries = try await selected(limit: limit ?? 100)
        CommandOutput.writeList(
            deliveries,
            columns: [
                .init("number"), .init("created", .time), .init("state"), .init("platform", isFlexible: true),
                .init("user", isFlexible: true), .init("device", isFlexible: true),
                .init("text", isFlexible: true), .init("reason", isWhole: true),
            ])
    }

    private func selected(limit: Int) async throws -> [JSONValue] {
        try await options.list(
            "deliveries",
            query: [
                "state": state?.rawValue, "user": user, "device": device, "application": application,
                "since": since?.text, "until": until?.text, "message": message,
            ], limit: limit)
    }
}

extension DeliveryState: ExpressibleByArgument {}

extension PastTime: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
