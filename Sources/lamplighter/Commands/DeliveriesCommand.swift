import ArgumentParser
import Gateway

struct DeliveriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries", abstract: "List notifications on their way and what was sent, newest first.")

    @Option(help: "Only those that are queued, sending, delivered, refused or expired.")
    var state: String?

    @Option(help: "At most so many.")
    var limit = 100

    @OptionGroup var options: ProjectOptions

    func run() async throws {
        let reply = try await options.answer(.deliveries(state: state, limit: limit))
        Console.writePretty(reply.body)
    }
}
