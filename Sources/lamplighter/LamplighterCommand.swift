import ArgumentParser
import Foundation
import Installation
import WorklightProject

struct LamplighterCommand: AsyncParsableCommand {
    /// The version, and the commit that was built.
    static let version = LamplighterVersion.current + (BuildCommit.current.map { " (\($0))" } ?? "")

    static let configuration = CommandConfiguration(
        commandName: "lamplighter",
        abstract: "Runs the server side of IBM Worklight and MobileFirst projects.",
        version: version,
        subcommands: [
            ServeCommand.self, CallCommand.self, SubscribeCommand.self, UnsubscribeCommand.self,
            SubscriptionsCommand.self, StatusCommand.self, DeliveriesCommand.self, SendCommand.self,
            DevicesCommand.self, UsersCommand.self, LogsCommand.self, ApplicationCommand.self, TokenCommand.self,
            AccountCommand.self,
            ClientLogCommand.self, CheckCommand.self, TestCommand.self, NewCommand.self, ImportCommand.self,
            ImportDevicesCommand.self, CompareCommand.self,
            DeployCommand.self, BackupCommand.self, RestoreCommand.self, DoctorCommand.self,
            ReplCommand.self, MigrateCommand.self, CompletionsCommand.self,
        ])

    /// Runs the program: 0 for success, 1 when the procedure or the project failed, 2 for wrong usage.
    static func start() async -> Int32 {
        if let problem = unknownCommand(in: CommandLine.arguments.dropFirst()) {
            CommandOutput.error(
                problem,
                text: """
                    Error: \(problem)
                    Usage: lamplighter <subcommand>
                      See 'lamplighter --help' for more information.
                    """)
            return 2
        }
        var used: (any ParsableCommand.Type)?
        do {
            var command = try parseAsRoot()
            used = type(of: command)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return 0
        } catch let code as ExitCode {
            return code.rawValue
        } catch  where exitCode(for: error) == .success {
            // Help and the version were asked for.
            CommandOutput.writeResult(UsageText.wrapped(fullMessage(for: error)))
            return 0
        } catch  where exitCode(for: error) == .validationFailure {
            // The parser would attribute an error that is found once the command runs to the root command.
            CommandOutput.error(
                message(for: error),
                text: UsageText.wrapped(used.map { wrongUsage(error, of: $0) } ?? fullMessage(for: error)))
            return 2
        } catch {
            CommandOutput.error("\(error)")
            return 1
        }
    }

    /// Returns what is wrong when the first word, or a word after help, is the name of no command; `nil` otherwise.
    private static func unknownCommand(in arguments: ArraySlice<String>) -> String? {
        let words = arguments.prefix { !$0.hasPrefix("-") }
        let isHelp = words.first == "help"
        var commands = configuration.subcommands
        for word in isHelp ? words.dropFirst() : words.prefix(1) {
            let names = commands.map { $0.configuration.commandName ?? String(describing: $0).lowercased() }
            guard !names.isEmpty, word != "help" else { return nil }
            guard let index = names.firstIndex(of: word) else {
                let hint =
                    Suggestion.nearest(to: word, among: names).map { "is '\($0)' meant?" }
                    ?? "'lamplighter help' lists all commands"
                return "there is no command '\(word)'; \(hint)"
            }
            commands = commands[index].configuration.subcommands
        }
        return nil
    }

    private static func wrongUsage(_ error: any Error, of command: any ParsableCommand.Type) -> String {
        let name = names(of: command, under: self).joined(separator: " ")
        return """
            Error: \(message(for: error))
            Usage: \(usageString(for: command))
              See '\(name) --help' for more information.
            """
    }

    /// The words with which a command is called; an empty list when it is not under `root`.
    private static func names(
        of command: any ParsableCommand.Type, under root: any ParsableCommand.Type
    ) -> [String] {
        let own = [root.configuration.commandName ?? ""]
        if command == root { return own }
        for child in root.configuration.subcommands {
            let rest = names(of: command, under: child)
            if !rest.isEmpty { return own + rest }
        }
        return []
    }
}
