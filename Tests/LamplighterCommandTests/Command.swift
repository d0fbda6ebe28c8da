import Foundation
import PushModel
import Synchronization
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

    /// Where this repository is.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Runs it to its end.
    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
        let process = makeProcess()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: binary)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = errors
        async let outputText = output.fileHandleForReading.allText()
        async let errorText = errors.fileHandleForReading.allText()
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        return Outcome(status: process.terminationStatus, output: await outputText, errors: await errorText)
    }
}

extension FileHandle {
    /// Everything up to the end, read by a thread of its own.
    fileprivate func allText() async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: String(decoding: self.readDataToEndOfFile(), as: UTF8.self))
            }
        }
    }
}

/// `lamplighter serve` as a process of its own, ended with the test.
final class ServerProcess: Sendable {
    private let process: Process
    private let log = ProcessLog()
    let url: String

    /// Starts it and waits for its ready line.
    init(_ arguments: [String]) async throws {
        let process = makeProcess()
        let errors = Pipe()
        process.executableURL = URL(fileURLWithPath: Command.binary)
        process.arguments = ["serve", "--port", "0"] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        errors.fileHandleForReading.readabilityHandler = { [log] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            log.append(String(decoding: data, as: UTF8.self), isEnd: data.isEmpty)
        }
        try process.run()
        self.process = process
        let text = await log.text(with: "lamplighter is ready: ")
        let match = text.firstMatch(of: /lamplighter is ready: (\S+)/)
        url = String(try #require(match, "the server ended before it was ready: \(text)").1)
    }

    /// Its log, once `text` stands there or the process has closed it.
    func log(with text: String) async -> String {
        await log.text(with: text)
    }

    /// Its whole log, once the process has closed it.
    func wholeLog() async -> String {
        await log.text(with: nil)
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Sends a signal.
    func signal(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Sends a signal and waits for the end.
    ///
    /// - Returns: the exit status, or the signal that ended it.
    func end(with signal: Int32) async -> (status: Int32, reason: Process.TerminationReason) {
        kill(process.processIdentifier, signal)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [process] in
                process.waitUntilExit()
                continuation.resume()
            }
        }
        return (process.terminationStatus, process.terminationReason)
    }
}

/// What a process has written to standard error so far.
private final class ProcessLog: Sendable {
    private struct State {
        var text = ""
        var isAtEnd = false
        var waiters: [(text: String?, continuation: CheckedContinuation<String, Never>)] = []
    }

    private let state = Mutex(State())

    func append(_ text: String, isEnd: Bool) {
        let satisfied = state.withLock { state in
            state.text += text
            state.isAtEnd = isEnd
            let (text, isAtEnd) = (state.text, isEnd)
            let satisfied = state.waiters.filter { isAtEnd || $0.text.map(text.contains) ?? false }
            state.waiters.removeAll { isAtEnd || $0.text.map(text.contains) ?? false }
            return satisfied.map { ($0.continuation, text) }
        }
        for (continuation, text) in satisfied { continuation.resume(returning: text) }
    }

    /// - Parameter wanted: what to wait for; the end when `nil`.
    func text(with wanted: String?) async -> String {
        await withCheckedContinuation { continuation in
            let found: String? = state.withLock { state in
                if state.isAtEnd || wanted.map(state.text.contains) ?? false { return state.text }
                state.waiters.append((wanted, continuation))
                return nil
            }
            if let found { continuation.resume(returning: found) }
        }
    }
}

/// A project for the command line's tests.
func makeProject(_ script: String, procedures: [String] = ["run"]) throws -> TemporaryFolder {
    try TemporaryFolder(["adapters/A/A.xml": adapterXML("A", procedures: procedures), "adapters/A/A-impl.js": script])
}
