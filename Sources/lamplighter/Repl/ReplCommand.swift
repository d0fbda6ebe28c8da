import AdapterRuntime
import ArgumentParser

struct ReplCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repl", abstract: "Evaluate lines in an adapter's scope.",
        discussion: """
            Variables stay from line to line; $_ is the last value. On a terminal Tab completes names, Ctrl-C cancels the line \
            or the running evaluation, and Ctrl-D ends. The scope is kept for the lines alone, by the server that runs on the project's data folder or \
            by an installation opened for the moment. Not in production.
            """)

    @Argument(help: "The adapter.", completion: ProjectCompletion.adapters)
    var adapter: String

    @OptionGroup var options: ProjectOptions

    func run() async throws {
        let failures = try await options.withBackend { backend in
            // Says now when there is no such adapter.
            _ = try await backend.answer(.evaluate("", adapter: adapter, isCompletion: true))
            var session = ReplSession(adapter: adapter, backend: backend)
            if LinePrompt.isPossible {
                CommandOutput.note(
                    "\(adapter), \(backend.isLocal ? "opened for the moment" : "in the running server"). "
                        + ".help lists the commands, Ctrl-D ends.")
                try await session.runOnTerminal()
                return 0
            }
            return try await session.run(lines: { readLine(strippingNewline: true) })
        }
        if failures > 0 { throw ExitCode.failure }
    }
}
