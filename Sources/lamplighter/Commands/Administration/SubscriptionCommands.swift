import ArgumentParser
import Core
import Management
import PushModel

/// The app, its device and the event source of a subscription.
struct SubscriptionOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The event source.", valueName: "adapter.eventsource"),
        completion: ProjectCompletion.eventSources)
    var eventSource: String

    @Option(help: "The user's id.")
    var user: String

    @Option(help: "The device's id.")
    var device: String

    @Option(
        help: "The application's id; optional in a project with one application.",
        completion: ProjectCompletion.applications)
    var application: String?

    @Flag(
        help: ArgumentHelp(
            "Print to standard error what the adapter's callbacks did, as a tree; with --json print {\"result\": …, \"trace\": …}."
        ))
    var trace = false

    /// Writes the result of a call about it.
    func write(_ result: CallResult) throws {
        guard trace else { return CommandOutput.writeResult(result.result) }
        try CommandOutput.writeTraced(result)
    }
}

struct SubscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscribe", abstract: "Subscribe an app on a device to an event source, as the app would.")

    @OptionGroup var subject: SubscriptionOptions

    @Option(
        help: "\(Platform.list(Platform.allCases)).",
        completion: .list(Platform.allCases.map(\.rawValue)))
    var platform: String

    @Option(help: "The device's token for its push service; of a web page, the JSON of its PushSubscription.")
    var token: String

    @Option(help: "The app's name for the event source; default: the event source's own.")
    var alias: String?

    @OptionGroup var options: ProjectOptions

    func run() async throws {
        guard let platform = Platform(platform) else {
            throw ValidationError(
                "--platform \(platform): expected \(Platform.list(Platform.allCases))")
        }
        var body: JSONObject = [
            "eventSource": .string(subject.eventSource), "user": .string(subject.user),
            "device": .string(subject.device), "platform": .string(platform.rawValue), "token": .string(token),
        ]
        body["alias"] = alias.map(JSONValue.string)
        body["application"] = subject.application.map(JSONValue.string)
        if subject.trace { body["trace"] = true }
        let answer = try await options.answer(ManagementCall("POST", "subscriptions", body: .object(body)))
        let result = try CallResult(answer)
        try subject.write(result)
        if !result.isSuccessful { throw ExitCode.failure }
    }
}

struct UnsubscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unsubscribe", abstract: "End a device's subscription to an event source.")

    @OptionGroup var subject: SubscriptionOptions

    @OptionGroup var options: ProjectOptions

    func run() async throws {
        let call = ManagementCall(
            "DELETE", "subscriptions",
            query: [
                "eventSource": subject.eventSource, "user": subject.user, "device": subject.device,
                "application": subject.application, "trace": subject.trace ? "true" : nil,
            ])
        try subject.write(CallResult(try await options.answer(call)))
    }
}

struct SubscriptionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscriptions", abstract: "List the subscriptions of devices and of phone numbers (SMS).")

    @Argument(
        help: ArgumentHelp("Only those of this event source.", valueName: "adapter.eventsource"),
        completion: ProjectCompletion.eventSources)
    var eventSource: String?

    @Option(help: "Only those of this user.")
    var user: String?

    @Option(help: "Only those of this application.", completion: ProjectCompletion.applications)
    var application: String?

    @Option(help: "Only those of this device.")
    var device: String?

    @Option(help: "The largest number of subscriptions.")
    var limit = 1000

    @OptionGroup var options: ProjectOptions

    func validate() throws { try ProjectOptions.check(limit: limit) }

    func run() async throws {
        let subscriptions = try await options.list(
            "subscriptions",
            query: ["eventSource": eventSource, "user": user, "device": device, "application": application],
            limit: limit)
        CommandOutput.writeList(
            subscriptions,
            columns: [
                .init("eventSource", title: "EVENT SOURCE", isFlexible: true), .init("user", isFlexible: true),
                .init("device", or: "phoneNumber", isFlexible: true), .init("platform"),
                .init("application", isFlexible: true),
            ])
    }
}
