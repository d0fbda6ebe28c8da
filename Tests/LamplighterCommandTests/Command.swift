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

    /// Runs it to its end.
    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
        let process = Process()
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
    let url: String
    let errors: Pipe

    /// Starts it and waits for its ready line.
    init(_ arguments: [String]) async throws {
        let process = Process()
        let errors = Pipe()
        process.executableURL = URL(fileURLWithPath: Command.binary)
        process.arguments = ["serve", "--port", "0"] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let url: String? = await withCheckedContinuation { continuation in
            let seen = Mutex<(text: String, isDone: Bool)>(("", false))
            errors.fileHandleForReading.readabilityHandler = { handle in
                let data = handle.availableData
                let found: String?? = seen.withLock { seen in
                    guard !seen.isDone else { return nil }
                    seen.text += String(decoding: data, as: UTF8.self)
                    if let match = seen.text.firstMatch(of: /lamplighter is ready: (\S+)/) {
                        seen = ("", true)
                        return .some(String(match.1))
                    }
                    if data.isEmpty {
                        seen.isDone = true
                        return .some(nil)
                    }
                    return nil
                }
                if data.isEmpty { handle.readabilityHandler = nil }
                if let found { continuation.resume(returning: found) }
            }
        }
        self.process = process
        self.errors = errors
        self.url = try #require(url, "the server ended before it was ready")
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

/// A project for the command line's tests.
func makeProject(_ script: String, procedures: [String] = ["run"]) throws -> TemporaryFolder {
    try TemporaryFolder(["adapters/A/A.xml": adapterXML("A", procedures: procedures), "adapters/A/A-impl.js": script])
}
