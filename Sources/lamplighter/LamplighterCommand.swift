import ArgumentParser

struct LamplighterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lamplighter",
        abstract: "Keeps IBM Worklight and MobileFirst projects lit.",
        version: "0.1.0",
        subcommands: [
            ServeCommand.self, CallCommand.self, SubscribeCommand.self, UnsubscribeCommand.self,
            SubscriptionsCommand.self, DeliveriesCommand.self, LogsCommand.self, ApplicationCommand.self,
            ClientLogCommand.self, CheckCommand.self, TestCommand.self, NewCommand.self, DeployCommand.self,
            ReplCommand.self, CompletionsCommand.self,
        ])

    /// Runs the program: 0 for success, 1 when the procedure or the project failed, 2 for wrong usage.
    static func start() async -> Int32 {
        do {
            var command = try parseAsRoot()
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
            Console.writeResult(fullMessage(for: error))
            return 0
        } catch  where exitCode(for: error) == .validationFailure {
            Console.error(message(for: error), text: fullMessage(for: error))
            return 2
        } catch {
            Console.error("\(error)")
            return 1
        }
    }
}
