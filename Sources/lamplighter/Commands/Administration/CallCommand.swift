import ArgumentParser
import Foundation
import Management

struct CallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call", abstract: "Call an adapter's procedure and print its result.")

    @Argument(
        help: ArgumentHelp("The procedure to call; with --event, the adapter alone.", valueName: "adapter/procedure"),
        completion: ProjectCompletion.procedures)
    var target: String

    @Argument(help: "A JSON array, or a comma-separated list such as '\"bjones\", \"hello!\"'.")
    var arguments = "[]"

    @OptionGroup var remote: RemoteServerOptions

    @OptionGroup var debugging: CallDebugging

    @OptionGroup var options: ProjectOptions

    func run() async throws {
        if let kind = debugging.event { return try await traceEvent(kind) }
        let parts = target.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw ValidationError(
                "'\(target)' is not of the form ADAPTER/PROCEDURE, such as PushAdapter/submitNotification")
        }
        if try await debug(adapter: parts[0], procedure: parts[1]) { return }
        let result = try await withProgress("calling \(target)") {
            if let connection = try remote.connection(options) {
                return try await connection.invoke(adapter: parts[0], procedure: parts[1], parameters: arguments)
            }
            return try await options.withBackend { backend in
                let answer = try await backend.answer(
                    .invoke(adapter: parts[0], procedure: parts[1], parameters: arguments))
                if backend.isLocal { try await remark(on: backend) }
                return try CallResult(answer)
            }
        }
        CommandOutput.writeResult(result.result)
        if !result.isSuccessful { throw ExitCode.failure }
    }

    /// Says that what was notified waits for a server.
    private func remark(on backend: CommandTarget) async throws {
        let waiting = try await backend.answer(
            ManagementCall("GET", "deliveries", query: ["state": "queued", "limit": "1"]))
        if try !waiting.items.isEmpty {
            CommandOutput.note(
                "no server is running: notifications wait in the store until 'lamplighter serve' delivers them")
        }
    }
}
