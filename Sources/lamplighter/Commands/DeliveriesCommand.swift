public import ArgumentParser
import Gateway
public import PushModel

struct DeliveriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries", abstract: "List notifications on their way and what was sent, newest first.",
        discussion: """
            With --follow, a running server tells each new delivery and each change of a delivery's state as it happens, a \
            line to each: time, state, platform, whom it is for, what it says, and why it is not delivered.
            """)

    @Flag(name: .shortAndLong, help: "Tell what happens from now on; Ctrl-C ends it.")
    var follow = false

    @Option(
        help: "Only those that are queued, sending, delivered, previewed, refused or expired.",
        completion: .list(DeliveryState.allCases.map(\.rawValue)))
    var state: DeliveryState?

    @Option(help: "At most so many; 100 unless given. Not with --follow.")
    var limit: Int?

    @OptionGroup var options: ProjectOptions

    func validate() throws {
        if follow, limit != nil { throw ValidationError("--limit does not go with --follow") }
    }

    func run() async throws {
        guard follow else {
            let request = ManagementRequest.deliveries(state: state?.rawValue, limit: limit ?? 100)
            Console.writePretty(try await options.answer(request).body)
            return
        }
        let reader = try SeriesReader(
            options, path: "deliveries/changes", home: "only a server delivers", filter: [("state", state?.rawValue)])
        let page = try await reader.newest(1)
        Console.note("following the deliveries of \(reader.project); Ctrl-C ends it")
        try await reader.follow(page) { page in
            for change in page.entries { Console.writeResult(Console.isJSON ? change.text : DeliveryLine(change).text) }
        }
    }
}

extension DeliveryState: ExpressibleByArgument {}
