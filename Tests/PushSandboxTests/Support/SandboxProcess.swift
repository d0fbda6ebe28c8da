import Foundation
import TestSupport

/// `push-sandbox` as a separate process, ended with the test.
final class SandboxProcess: Sendable {
    /// Beside the tests' own binary.
    static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "push-sandbox").path

    private struct Said {
        var text = ""
        var isOver = false
    }

    private let process: ChildProcess
    private let output = AwaitableValue(Said())
    private let errors = AwaitableValue(Said())

    init(_ arguments: [String]) throws {
        let pipes = (output: Pipe(), errors: Pipe())
        process = try ChildProcess(Self.program, arguments, output: pipes.output, errors: pipes.errors)
        Self.read(pipes.output, into: output)
        Self.read(pipes.errors, into: errors)
    }

    /// On a separate thread: a `readabilityHandler` may still be called for a pipe that is closed, which crashes.
    private static func read(_ pipe: Pipe, into said: AwaitableValue<Said>) {
        Thread.detachNewThread {
            while true {
                let data = pipe.fileHandleForReading.availableData
                said.update { said in
                    said.text += String(decoding: data, as: UTF8.self)
                    said.isOver = data.isEmpty
                }
                if data.isEmpty { return }
            }
        }
    }

    /// Any free ports, with a page.
    static let freePorts = ["--apns-port", "0", "--http-port", "0", "--sms-port", "0", "--port", "0"]

    deinit { process.send(SIGKILL) }

    /// Returns standard output, once it contains `text` or the process has closed it.
    func output(with text: String) async throws -> String {
        try await output.wait { $0.isOver || $0.text.contains(text) }
        return output.value.text
    }

    /// The same of standard error.
    func errors(with text: String) async throws -> String {
        try await errors.wait { $0.isOver || $0.text.contains(text) }
        return errors.value.text
    }

    func send(_ signal: Int32) { process.send(signal) }

    var exitStatus: Int32 { get async { await process.exitStatus } }
}
