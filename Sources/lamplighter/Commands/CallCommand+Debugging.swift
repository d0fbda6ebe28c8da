import AdapterRuntime
import ArgumentParser
import Foundation
import Gateway
import Logging
import PushModel

/// What `call` can tell of a call besides its result.
struct CallDebugging: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Tell on standard error what the call did, as a tree; with --json print {\"result\": …, \"trace\": …}."))
    var trace = false

    @Flag(
        help: ArgumentHelp(
            "With --trace: name an event source, ADAPTER/EVENTSOURCE; its poll runs now, in addition to its schedule."
        ))
    var poll = false

    @Option(
        help: ArgumentHelp(
            "With --trace: client, sms or ussd. ARGUMENTS is such an event, for the handlers of ADAPTER.",
            valueName: "kind"),
        completion: .list(["client", "sms", "ussd"]))
    var event: String?

    func validate() throws {
        if poll, !trace { throw ValidationError("--poll goes with --trace") }
        if let event {
            guard ["client", "sms", "ussd"].contains(event) else {
                throw ValidationError("--event \(event): expected client, sms or ussd")
            }
            if !trace || poll { throw ValidationError("--event goes with --trace, and not with --poll") }
        }
    }
}

extension CallCommand {
    /// Makes the call in the way that the debugging options ask for.
    ///
    /// - Returns: whether they ask for anything.
    func debug(adapter: String, procedure: String) async throws -> Bool {
        guard debugging.trace else { return false }
        try await trace(
            debugging.poll
                ? .tracePoll(adapter: adapter, eventSource: procedure)
                : .traceInvocation(adapter: adapter, procedure: procedure, parameters: arguments))
        return true
    }

    /// Gives an event to the handlers of the adapter that is named.
    func traceEvent(_ kind: String) async throws {
        guard !target.isEmpty, !target.contains("/") else {
            throw ValidationError(
                "'\(target)' is no adapter: with --event the adapter alone is named, such as PushAdapter")
        }
        try await trace(.traceEvent(adapter: target, kind: kind, event: arguments))
    }

    private func trace(_ request: ManagementRequest) async throws {
        if remote.server != nil {
            throw ValidationError(
                "--trace does not go with --server: servers tell back ends the result only; trace the call where the "
                    + "project's folder is")
        }
        let reply = try await options.answer(request)
        try Console.writeTraced(reply)
        if !reply.isSuccessful { throw ExitCode.failure }
    }
}

extension Console {
    /// Writes the result that a traced request has, and what was done to standard error; with `--json` both as one object.
    ///
    /// - Throws: `DecodingError`, what reading the reply throws.
    static func writeTraced(_ reply: ManagementReply) throws {
        guard !isJSON else { return writeResult(reply.body) }
        let answer = try JSONValue(parsing: reply.body)
        writeResult(answer["result"]?.text ?? "")
        note("\(try InvocationTrace(json: answer["trace"]?.text ?? ""))")
    }
}
