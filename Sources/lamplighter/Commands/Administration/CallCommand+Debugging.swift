import AdapterRuntime
import ArgumentParser
import Core
import Foundation
import Logging
import Management

/// The debugging output of `call` besides the result.
struct CallDebugging: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Print to standard error what the call did, as a tree; with --json print {\"result\": …, \"trace\": …}."))
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
        if poll, !trace { throw ValidationError("--poll needs --trace") }
        if let event {
            guard ["client", "sms", "ussd"].contains(event) else {
                throw ValidationError("--event \(event): expected client, sms or ussd")
            }
            if !trace || poll { throw ValidationError("--event needs --trace, and cannot be combined with --poll") }
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
                ? ManagementCall("POST", "adapters", adapter, "event-sources", procedure, "poll")
                : .invoke(adapter: adapter, procedure: procedure, parameters: arguments, isTraced: true))
        return true
    }

    /// Passes an event to the handlers of the adapter that is named.
    func traceEvent(_ kind: String) async throws {
        guard !target.isEmpty, !target.contains("/") else {
            throw ValidationError(
                "'\(target)' is not an adapter's name: with --event, expected only the adapter, such as PushAdapter")
        }
        let event: JSONValue
        do {
            event = try JSONValue(parsing: arguments)
        } catch {
            throw ValidationError("event: expected JSON: \(error)")
        }
        try await trace(
            ManagementCall("POST", "adapters", target, "events", body: ["kind": .string(kind), "event": event]))
    }

    private func trace(_ call: ManagementCall) async throws {
        if remote.server != nil {
            throw ValidationError(
                "--trace and --server cannot be combined: a server returns only the result to back ends; trace the call on "
                    + "the machine with the project's folder")
        }
        let result = try CallResult(try await options.answer(call))
        try CommandOutput.writeTraced(result)
        if !result.isSuccessful { throw ExitCode.failure }
    }
}

extension ManagementCall {
    /// Calls a procedure.
    ///
    /// - Parameter parameters: a JSON array, or a list separated by commas.
    static func invoke(
        adapter: String, procedure: String, parameters: String, isTraced: Bool = false
    ) -> ManagementCall {
        var body: JSONObject = ["procedure": .string(procedure), "parameters": .string(parameters)]
        if isTraced { body["trace"] = true }
        return ManagementCall("POST", "adapters", adapter, "invoke", body: .object(body))
    }

    /// Evaluates code in an adapter's scope, or completes it.
    static func evaluate(_ code: String, adapter: String, line: Int = 1, isCompletion: Bool = false) -> ManagementCall {
        ManagementCall(
            "POST", "adapters", adapter, "evaluate",
            body: ["code": .string(code), "line": .number(Double(line)), "isCompletion": .bool(isCompletion)])
    }
}

extension CommandOutput {
    /// Writes a traced result, and what was done to standard error; with `--json` both as one object.
    ///
    /// - Throws: `DecodingError`, what reading the trace throws.
    static func writeTraced(_ result: CallResult) throws {
        guard !isJSON else {
            return writeResult(#"{"result":\#(result.result),"trace":\#(result.trace ?? "null")}"#)
        }
        writeResult(result.result)
        note("\(try InvocationTrace(json: result.trace ?? ""))")
    }
}
