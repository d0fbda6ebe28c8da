import ArgumentParser
import Gateway
import PushModel

/// Which app on which device is meant, and which event source.
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
        help: "The application's id; may be left out where the project has one only.",
        completion: ProjectCompletion.applications)
    var application: String?

    @Flag(
        help: ArgumentHelp(
            "Tell on standard error what the adapter's callbacks did, as a tree; with --json print {\"result\": …, \"trace\": …}."
        ))
    var trace = false

    /// Writes the answer to a request about it.
    func write(_ reply: ManagementReply) throws {
        guard trace else { return Console.writeResult(reply.body) }
        try Console.writeTraced(reply)
    }
}

struct SubscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscribe", abstract: "Subscribe an app on a device to an event source, as the app would.")

    @OptionGroup var subject: SubscriptionOptions

    @Option(
        help: "Apple, Android, Windows, WindowsPhone or Web.",
        completion: .list(Platform.allCases.map(\.rawValue)))
    var platform: String

    @Option(help: "The device's token for its push service; of a web page, the JSON of its PushSubscription.")
    var token: String

    @Option(help: "The app's name for the event source; the event source's own unless given.")
    var alias: String?

    @OptionGroup var options: ProjectOptions

    func run() async throws {
        let form = SubscriptionForm(
            eventSource: subject.eventSource, user: subject.user, device: subject.device, platform: platform,
            token: token, alias: alias,
            application: subject.application, trace: subject.trace ? true : nil)
        let reply = try await options.answer(.subscribe(form))
        try subject.write(reply)
        if !reply.isSuccessful { throw ExitCode.failure }
    }
}

struct UnsubscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unsubscribe", abstract: "End a device's subscription to an event source.")

    @OptionGroup var subject: SubscriptionOptions

    @OptionGroup var options: ProjectOptions

    func run() async throws {
        let form = SubscriptionForm(
            eventSource: subject.eventSource, user: subject.user, device: subject.device,
            application: subject.application, trace: subject.trace ? true : nil)
        let reply = try await options.answer(.unsubscribe(form))
        try subject.write(reply)
        if !reply.isSuccessful {
            Console.note("there is no such subscription; 'lamplighter subscriptions' lists those there are")
            throw ExitCode.failure
        }
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

    @OptionGroup var options: ProjectOptions

    func run() async throws {
        let reply = try await options.answer(
            .subscriptions(eventSource: eventSource, user: user, application: application))
        Console.writePretty(reply.body)
    }
}
