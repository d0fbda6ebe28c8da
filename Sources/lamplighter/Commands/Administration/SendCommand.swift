import ArgumentParser
import Core
import Foundation
import Management
import PushModel

struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a message to devices, users, tags, platforms, subscribers or everybody, without an adapter.",
        discussion: """
            Sends to every matching device that has registered for push or subscribed to an event source. The result has the \
            message's id; 'lamplighter send --status ID' shows the number of its deliveries in each state.
            """)

    @Argument(help: "The alert text of the message.")
    var alert: String?

    @Option(help: "A user; may be repeated.")
    var user: [String] = []

    @Option(help: "A device's id; may be repeated.")
    var device: [String] = []

    @Option(help: "A tag of the application; may be repeated.")
    var tag: [String] = []

    @Option(help: "\(Platform.list(Platform.withLetters)); may be repeated.")
    var platform: [String] = []

    @Option(
        help: ArgumentHelp("The subscribers of an event source.", valueName: "adapter.eventsource"),
        completion: ProjectCompletion.eventSources)
    var eventSource: String?

    @Flag(help: "All devices that have not unsubscribed from broadcasts.")
    var everybody = false

    @Option(
        help: "The application's id; optional in a project with one application.",
        completion: ProjectCompletion.applications)
    var application: String?

    @Option(
        help: ArgumentHelp(
            "JSON for each service, as sendMessage takes it: {\"apns\":{\"badge\":1}}.", valueName: "json"))
    var settings: String?

    @Option(
        help: ArgumentHelp(
            "Idempotency key: a repeated command with this key does not send again for 24 hours.", valueName: "text"))
    var key: String?

    @Option(help: ArgumentHelp("Show the states of a message's deliveries.", valueName: "id"))
    var status: String?

    @OptionGroup var options: ProjectOptions

    private var targets: [(key: String, values: [String])] {
        [("userIds", user), ("deviceIds", device), ("tagNames", tag), ("platforms", platform.map(Self.letter))]
            .filter { !$0.values.isEmpty }
    }

    func validate() throws {
        if status != nil {
            if alert != nil || everybody || eventSource != nil || !targets.isEmpty {
                throw ValidationError("--status cannot be combined with a message or with recipients")
            }
            return
        }
        let letters = Platform.allCases.compactMap(\.letter)
        if let wrong = platform.first(where: { !letters.contains(Self.letter($0)) }) {
            throw ValidationError("--platform \(wrong): expected \(Platform.list(Platform.withLetters))")
        }
        guard alert != nil else { throw ValidationError("expected the alert text of the message, or --status ID") }
        let count = targets.count + (everybody ? 1 : 0) + (eventSource == nil ? 0 : 1)
        guard count == 1 else {
            throw ValidationError(
                "expected \(count == 0 ? "one" : "only one") of --user, --device, --tag, --platform, --event-source and "
                    + "--everybody")
        }
    }

    func run() async throws {
        if let status {
            CommandOutput.writePretty(try await options.answer(ManagementCall("GET", "messages", status)).text)
            return
        }
        var body: JSONObject = ["message": ["alert": .string(alert ?? "")]]
        body["application"] = application.map(JSONValue.string)
        if let target = targets.first {
            body["target"] = .object([target.key: .array(target.values.map { .string($0) })])
        }
        if let eventSource { body["target"] = ["eventSource": .string(eventSource)] }
        if let settings {
            do {
                body["settings"] = try JSONValue(parsing: settings)
            } catch {
                throw ValidationError("--settings: expected JSON: \(error)")
            }
        }
        let answer = try await options.answer(
            ManagementCall("POST", "messages", body: .object(body), idempotencyKey: key))
        CommandOutput.writePretty(answer.text)
        let result = try answer.value
        for warning in result["warnings"]?.array ?? [] { CommandOutput.note("warning: \(warning.string ?? "")") }
        if result["recipients"]?.number == 0 { throw ExitCode.failure }
    }

    /// Returns the letter by which `sendMessage` names a platform.
    private static func letter(_ platform: String) -> String {
        Platform(platform)?.letter ?? platform
    }
}
