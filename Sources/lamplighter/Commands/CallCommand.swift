import ArgumentParser
import Foundation
import Gateway

struct CallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call", abstract: "Call an adapter's procedure and print its result.")

    @Argument(
        help: ArgumentHelp("What to call; with --event the adapter alone.", valueName: "adapter/procedure"),
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
        let request = ManagementRequest.invoke(adapter: parts[0], procedure: parts[1], parameters: arguments)
        if try await debug(adapter: parts[0], procedure: parts[1]) { return }
        let reply = try await withProgress("calling \(target)") {
            if let connection = try remote.connection(options) { return try await connection.answer(request) }
            return try await options.withBackend { backend in
                let reply = try await backend.answer(request)
                if backend.isLocal { try await remark(on: backend) }
                return reply
            }
        }
        Console.writeResult(reply.body)
        if !reply.isSuccessful { throw ExitCode.failure }
    }

    /// Says that what was notified waits for a server.
    private func remark(on backend: Backend) async throws {
        let waiting = try await backend.answer(.deliveries(state: "queued", limit: 1))
        if waiting.body != "[]" {
            Console.note(
                "no server is running: notifications wait in the store until 'lamplighter serve' delivers them")
        }
    }
}
