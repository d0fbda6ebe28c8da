import ArgumentParser

private let clientLogLevels = ["fatal", "error", "warn", "info", "log", "debug", "trace", "analytics"]

struct ClientLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client-log", abstract: "List the log entries that clients have sent, newest first.")

    @Option(help: "fatal, error, warn, info, log, debug, trace or analytics.", completion: .list(clientLogLevels))
    var level: String?

    @Option(help: "The application's id.", completion: ProjectCompletion.applications)
    var application: String?

    @Option(help: "The device's id.")
    var device: String?

    @Option(help: "A string in the message or in the package's name; case does not matter.")
    var text: String?

    @Option(help: "The largest number of entries.")
    var limit = 100

    @OptionGroup var options: ProjectOptions

    func validate() throws {
        guard (1...1_000_000).contains(limit) else { throw ValidationError("--limit \(limit): expected 1 to 1000000") }
        if let level, !clientLogLevels.contains(level.lowercased()) {
            throw ValidationError("--level \(level): expected \(clientLogLevels.joined(separator: ", "))")
        }
    }

    func run() async throws {
        let entries = try await options.list(
            "client-log", query: ["level": level, "application": application, "device": device, "text": text],
            limit: limit)
        CommandOutput.writeList(
            entries,
            columns: [
                .init("received", .time), .init("level"), .init("application", isFlexible: true),
                .init("device", isFlexible: true),
                .init("message", isFlexible: true),
            ])
    }
}
