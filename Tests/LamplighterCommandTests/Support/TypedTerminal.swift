import Foundation
import TestSupport
import Testing

/// A terminal on which a command runs and a test types.
final class TypedTerminal: Sendable {
    /// The prompt of `repl A`, which ends the output.
    static let prompt = "A> "

    /// All that was shown.
    let text = AwaitableValue("")
    private let process: ChildProcess
    private let input = Pipe()

    /// - Parameters:
    ///   - line: for the shell.
    ///   - project: in which the history of prompts is kept.
    init(_ line: String, project: TemporaryFolder) throws {
        let output = Pipe()
        // `script` provides a terminal for the shell.
        process = try ChildProcess(
            "script", ["-qefc", line, "/dev/null"],
            environment: ["SHELL": "/bin/sh", "TERM": "xterm", "XDG_STATE_HOME": project.path + "/state"],
            input: input, output: output)
        output.fileHandleForReading.readParts { [text] part in text.update { $0 += part } }
    }

    /// The prompt of an adapter `A`.
    static func repl(_ project: TemporaryFolder) throws -> TypedTerminal {
        // A shell that stayed would get Ctrl-C too, and Debian's then ends by it although the program has ended well.
        try TypedTerminal("exec \(Command.binary) repl A --project \(project.path)", project: project)
    }

    /// A test that has failed leaves nothing running: the terminal goes, and what runs there with it.
    deinit { kill(process.processIdentifier, SIGKILL) }

    /// Types once what is shown is as it should be. With a prompt the terminal has another mode, so keys must not come before.
    func type(_ keys: String, once condition: @escaping @Sendable (String) -> Bool) async throws {
        do {
            try await text.wait(until: condition)
        } catch {
            Issue.record("no sign to type \(keys.debugDescription): \(text.value.debugDescription)")
            throw error
        }
        try input.fileHandleForWriting.write(contentsOf: Data(keys.utf8))
    }

    var exitStatus: Int32 {
        get async { await process.exitStatus }
    }
}
