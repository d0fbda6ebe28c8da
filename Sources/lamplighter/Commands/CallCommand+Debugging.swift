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
            "With --trace or --profile: name an event source, ADAPTER/EVENTSOURCE, whose poll is run, besides when it is due."
        ))
    var poll = false

    @Option(
        help: ArgumentHelp(
            "With --trace: client, sms or ussd. ARGUMENTS is such an event, for the handlers of ADAPTER.",
            valueName: "kind"),
        completion: .list(["client", "sms", "ussd"]))
    var event: String?

    @Option(
        help: ArgumentHelp(
            "Write where the time went to this file, in the form of Chrome's .cpuprofile.", valueName: "file"))
    var profile: String?

    @Option(name: .customLong("repeat"), help: ArgumentHelp("With --profile: call it so many times.", valueName: "n"))
    var repetitions = 1

    func validate() throws {
        if repetitions != 1, profile == nil { throw ValidationError("--repeat goes with --profile") }
        if repetitions < 1 { throw ValidationError("--repeat \(repetitions): expected 1 or more") }
        if poll, !trace, profile == nil { throw ValidationError("--poll goes with --trace or --profile") }
        if let event {
            guard ["client", "sms", "ussd"].contains(event) else {
                throw ValidationError("--event \(event): expected client, sms or ussd")
            }
            if !trace || poll { throw ValidationError("--event goes with --trace, and not with --poll") }
        }
        if trace, profile != nil { throw ValidationError("--trace and --profile each want a call of their own") }
    }
}

extension CallCommand {
    /// Makes the call in the way that the debugging options ask for.
    ///
    /// - Returns: whether they ask for anything.
    func debug(adapter: String, procedure: String) async throws -> Bool {
        if let file = debugging.profile {
            try await profile(adapter: adapter, procedure: procedure, to: file)
            return true
        }
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

    /// Profiles in an installation of its own: the engine looks at a whole process.
    private func profile(adapter: String, procedure: String, to file: String) async throws {
        if remote.server != nil {
            throw ValidationError("--profile does not go with --server: the profiler looks at this process")
        }
        let output = try OutputFile("--profile", file)
        let (reply, profile) = try await options.withInstallation(for: "a profile") { installation in
            guard debugging.poll else {
                return try await installation.profile(
                    adapter: adapter, procedure: procedure, parameters: arguments, repeating: debugging.repetitions)
            }
            let source = EventSourceID(adapter: adapter, name: procedure)
            return try await installation.profile(poll: source, repeating: debugging.repetitions)
        }
        try output.write(profile.cpuProfile)
        let calls = "\(profile.calls) \(debugging.poll ? "poll" : "call")\(profile.calls == 1 ? "" : "s")"
        Console.note(
            "\(profile.sampleCount) samples of \(calls), one each \(Int(profile.interval * 1_000_000)) µs or more\n")
        if profile.sampleCount > 0 { Console.note(profile.summary) }
        if profile.sampleCount < CallProfile.fewestSamples {
            Console.note("too few samples to rely on: have it called more often with --repeat")
        }
        Console.writeResult(reply.body)
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

extension ProjectOptions {
    /// Runs `body` with an installation of this process's own.
    func withInstallation<Result>(
        for purpose: String, _ body: (Installation) async throws -> Result
    ) async throws -> Result {
        var settings = try settings()
        if store.logLevel == nil { settings.logLevel = .warning }
        let level = settings.logLevel
        let installation: Installation
        do {
            installation = try await Installation(
                opening: settings.installation,
                logger: Logger(label: "lamplighter") { _ in ConsoleLogHandler(level: level) })
        } catch let error as DataFolderError {
            guard case .inUse = error else { throw error }
            throw SettingsError(
                description:
                    "\(purpose) is made in this process, but a server uses the project's data folder: stop the "
                    + "server, or name another folder with --data")
        }
        do {
            let result = try await body(installation)
            await installation.close()
            return result
        } catch {
            await installation.close()
            throw error
        }
    }
}
