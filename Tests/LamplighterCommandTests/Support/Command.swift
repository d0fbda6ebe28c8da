import Core
import Foundation
import TestSupport
import Testing

/// The built program, run as a person would.
enum Command {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Beside the tests' own binary.
    static let binary = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "lamplighter").path

    /// The release build, which `make test-all` makes first.
    static let release = repository.appending(path: ".build/release/lamplighter").path

    /// This repository's folder.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// Sets the limits on real time to ``Swift/Duration/noLimit``, for tests whose subject is another.
    static let noLimits = ["LAMPLIGHTER_LIMITS_WALL_CLOCK": "86400", "LAMPLIGHTER_LIMITS_HEADER_TIME": "86400"]

    /// Runs it to its end.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], program: String = binary
    ) async throws -> Outcome {
        try await run(program, arguments, environment)
    }

    /// Runs `lamplighter test` to its end, with a limit on each test's time that a loaded machine does not reach.
    static func test(_ arguments: [String]) async throws -> Outcome {
        try await run(["test", "--timeout", "3600"] + arguments)
    }

    /// Runs another of the package's programs to its end.
    static func run(_ arguments: [String], of program: String) async throws -> Outcome {
        let programs = URL(filePath: binary).deletingLastPathComponent()
        return try await run(programs.appending(path: program).path, arguments, [:])
    }

    /// Runs a line of a shell in which the program can be called by its name.
    static func shell(_ line: String, in folder: URL) async throws -> Outcome {
        let programs = URL(filePath: binary).deletingLastPathComponent().path
        return try await run(
            "/bin/sh", ["-c", "cd '\(folder.path)' && PATH=\"\(programs):$PATH\" && \(line)"], [:])
    }

    private static func run(
        _ program: String, _ arguments: [String], _ environment: [String: String]
    ) async throws -> Outcome {
        let (output, errors) = (Pipe(), Pipe())
        let process = try ChildProcess(
            program, arguments, environment: noLimits.merging(environment) { $1 }, output: output, errors: errors)
        async let outputText = output.fileHandleForReading.allText()
        async let errorText = errors.fileHandleForReading.allText()
        return Outcome(status: await process.exitStatus, output: await outputText, errors: await errorText)
    }
}

/// `lamplighter serve` as a separate process, ended with the test.
final class ServerProcess: Sendable {
    private let process: ChildProcess
    private let log = ProcessLog()
    let url: String

    /// Starts it and waits for its ready line.
    ///
    /// - Parameters:
    ///   - folder: its current folder; the tests' own when `nil`.
    ///   - openFiles: the most files that the system lets it open; the tests' own limit when `nil`.
    ///   - program: the path of the binary.
    ///   - limits: settings that `environment` overrides.
    init(
        _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil, openFiles: Int? = nil,
        program: String = Command.binary, limits: [String: String] = Command.noLimits
    ) async throws {
        let errors = log.pipe()
        let limit = openFiles.map { "ulimit -n \($0) && " } ?? ""
        process = try ChildProcess(
            "/bin/sh", ["-c", limit + #"exec "$0" "$@""#, program, "serve", "--port", "0"] + arguments,
            environment: limits.merging(environment) { $1 }, folder: folder, errors: errors)
        let text = await log.text(with: "lamplighter is ready: ")
        let match = text.firstMatch(of: /lamplighter is ready: (\S+)/)
        url = String(try #require(match, "the server ended before it was ready: \(text)").1)
    }

    /// Returns its log, once it contains `text` or the process has closed it.
    func log(with text: String) async -> String {
        await log.text(with: text)
    }

    /// Its whole log, once the process has closed it.
    func wholeLog() async -> String {
        await log.text(with: nil)
    }

    deinit {
        process.send(SIGKILL)
    }

    /// Its exit status, once it has ended.
    var exitStatus: Int32 { get async { await process.exitStatus } }

    /// Sends a signal.
    func signal(_ signal: Int32) {
        process.send(signal)
    }

    /// Sends a signal and waits for the end.
    ///
    /// - Returns: the exit status, or 128 and the signal that ended it.
    func end(with signal: Int32) async -> Int32 {
        process.send(signal)
        return await process.exitStatus
    }
}

/// A command that goes on until a signal ends it.
final class RunningCommand: Sendable {
    private let process: ChildProcess
    private let (output, errors) = (ProcessLog(), ProcessLog())

    init(_ arguments: [String]) throws {
        process = try ChildProcess(
            Command.binary, arguments, environment: Command.noLimits, output: output.pipe(), errors: errors.pipe())
    }

    deinit {
        process.send(SIGKILL)
    }

    /// Returns its standard output, once it contains `text` or is closed.
    func output(with text: String) async -> String { await output.text(with: text) }

    /// Returns its standard error, once it contains `text` or is closed.
    func errors(with text: String) async -> String { await errors.text(with: text) }

    /// Its exit status after the signal, or 128 and the signal that ended it.
    func end(with signal: Int32) async -> Int32 {
        process.send(signal)
        return await process.exitStatus
    }
}

/// The output of a process so far.
final class ProcessLog: Sendable {
    private let written = AwaitableValue((text: "", isAtEnd: false))

    /// A pipe whose end for writing is a process's.
    func pipe() -> Pipe {
        let pipe = Pipe()
        pipe.fileHandleForReading.readParts { [written] part in
            written.update {
                $0.text += part
                $0.isAtEnd = part.isEmpty
            }
        }
        return pipe
    }

    /// Returns the output once it contains `wanted` or the process has closed it, or when the test's time limit ends.
    ///
    /// - Parameter wanted: what to wait for; the end when `nil`.
    func text(with wanted: String?) async -> String {
        try? await written.wait { $0.isAtEnd || wanted.map($0.text.contains) ?? false }
        return written.value.text
    }
}

/// A project for the command line's tests.
func makeProject(_ script: String, procedures: [String] = ["run"]) throws -> TemporaryFolder {
    let project = try TemporaryFolder([
        "adapters/A/A.xml": adapterXML("A", procedures: procedures), "adapters/A/A-impl.js": script,
    ])
    try TestCertificates.giveServerKey(to: project.url.appending(path: ".lamplighter"))
    return project
}
