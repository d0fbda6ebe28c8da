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
            "With --trace: name an event source, ADAPTER/EVENTSOURCE, whose poll is run once, besides when it is due."))
    var poll = false

    @Option(
        help: ArgumentHelp(
            "Write where the time went to this file, in the form of Chrome's .cpuprofile.", valueName: "file"))
    var profile: String?

    @Option(name: .customLong("repeat"), help: ArgumentHelp("With --profile: call it so many times.", valueName: "n"))
    var repetitions = 1

    func validate() throws {
        if repetitions != 1, profile == nil { throw ValidationError("--repeat goes with --profile") }
        if repetitions < 1 { throw ValidationError("--repeat \(repetitions): expected 1 or more") }
        if poll, !trace { throw ValidationError("--poll goes with --trace") }
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
        if remote.server != nil {
            throw ValidationError(
                "--trace does not go with --server: servers tell back ends the result only; trace the call where the "
                    + "project's folder is")
        }
        let reply = try await options.answer(
            debugging.poll
                ? .tracePoll(adapter: adapter, eventSource: procedure)
                : .traceInvocation(adapter: adapter, procedure: procedure, parameters: arguments))
        if Console.isJSON {
            Console.writeResult(reply.body)
        } else {
            let answer = try JSONValue(parsing: reply.body)
            Console.writeResult(answer["result"]?.text ?? "")
            Console.note("\(try InvocationTrace(json: answer["trace"]?.text ?? ""))")
        }
        if !reply.isSuccessful { throw ExitCode.failure }
        return true
    }

    /// Profiles in an installation of its own: the engine looks at a whole process.
    private func profile(adapter: String, procedure: String, to file: String) async throws {
        if remote.server != nil {
            throw ValidationError("--profile does not go with --server: the profiler looks at this process")
        }
        let output = try OutputFile("--profile", file)
        let (result, profile) = try await options.withInstallation(for: "a profile") { installation in
            try await installation.profile(
                adapter: adapter, procedure: procedure, parameters: arguments, repeating: debugging.repetitions)
        }
        try output.write(profile.cpuProfile)
        let calls = "\(profile.calls) call\(profile.calls == 1 ? "" : "s")"
        Console.note(
            "\(profile.sampleCount) samples of \(calls), one each \(Int(profile.interval * 1_000_000)) µs or more\n")
        if profile.sampleCount > 0 { Console.note(profile.summary) }
        if profile.sampleCount < CallProfile.fewestSamples {
            Console.note("too few samples to rely on: have the procedure called more often with --repeat")
        }
        Console.writeResult(result.json)
        if !result.isSuccessful { throw ExitCode.failure }
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
