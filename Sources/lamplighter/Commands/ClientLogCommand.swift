import ArgumentParser
import Gateway

struct ClientLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client-log", abstract: "Look into what clients have logged and sent, newest first.")

    @Option(
        help: "fatal, error, warn, info, log, debug, trace or analytics.",
        completion: .list(["fatal", "error", "warn", "info", "log", "debug", "trace", "analytics"]))
    var level: String?

    @Option(help: "The application's id.", completion: ProjectCompletion.applications)
    var application: String?

    @Option(help: "The device's id.")
    var device: String?

    @Option(help: "Stands in the message or in the package's name, in any case.")
    var text: String?

    @Option(help: ArgumentHelp("Only entries before the one of this number.", valueName: "number"))
    var before: Int?

    @Option(help: "At most so many, 1 to 1000.")
    var limit = 100

    @OptionGroup var options: ProjectOptions

    func run() async throws {
        let form = ClientLogForm(
            level: level, application: application, device: device, text: text, before: before, limit: limit)
        Console.writePretty(try await options.answer(.clientLog(form)).body)
    }
}
