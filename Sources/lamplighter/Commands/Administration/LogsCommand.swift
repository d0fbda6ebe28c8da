public import ArgumentParser
import Core
import Foundation
public import Logging
import Management

struct LogsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs",
        abstract: "Show the log of the running server, WL.Logger's lines included, oldest first.",
        discussion: """
            The server keeps its newest lines in memory (setting logs.kept); levels that it does not log (setting \
            logLevel) are not there.
            """)

    @Flag(name: .shortAndLong, help: "Go on with new lines, also after a restart of the server; Ctrl-C ends it.")
    var follow = false

    @Option(
        help: ArgumentHelp("Only lines of this level and of those above it.", valueName: "level"),
        completion: .list(Logger.Level.allCases.map(\.rawValue)))
    var level: Logger.Level?

    @Option(help: "Only lines about this adapter.", completion: ProjectCompletion.adapters)
    var adapter: String?

    @Option(help: "The largest number of existing lines to show, the newest ones; 1 to 1000.")
    var limit = 100

    @OptionGroup var options: ProjectOptions

    func validate() throws {
        guard (1...1000).contains(limit) else { throw ValidationError("--limit \(limit): expected 1 to 1000") }
    }

    func run() async throws {
        let reader = try SeriesReader(
            options, path: ["logs"], reason: "'lamplighter logs' needs one",
            filter: [("level", level?.rawValue), ("adapter", adapter)])
        let page = try await reader.newest(limit)
        show(page)
        if follow { try await reader.follow(page, show) }
    }

    private func show(_ page: SeriesPage) {
        for entry in page.entries {
            if CommandOutput.isJSON {
                CommandOutput.writeResult(entry.text)
            } else if let line = LogLine(json: entry) {
                CommandOutput.writeResult(line.text(level: Self.paint(line.level)))
            }
        }
    }

    private static func paint(_ level: Logger.Level) -> (String) -> String {
        guard Terminal.hasColours(STDOUT_FILENO), let colour = Terminal.Colour(level) else { return { $0 } }
        return colour.paint
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
