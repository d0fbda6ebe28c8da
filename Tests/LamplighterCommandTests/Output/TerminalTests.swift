import Core
import Foundation
import TestSupport
import Testing

@Suite("On a terminal")
struct TerminalTests {
    private static let script = """
        function run() { WL.Logger.warn('careful'); return {} }
        function slow(seconds) { var end = Date.now() + 1000 * seconds; while (Date.now() < end) {} return { done: true } }
        """

    private func project() throws -> TemporaryFolder { try makeProject(Self.script, procedures: ["run", "slow"]) }

    /// Runs a command on a separate terminal.
    ///
    /// - Returns: all that it wrote there.
    private func onTerminal(_ arguments: [String], environment: [String: String] = [:]) async throws -> String {
        let output = Pipe()
        let line = ([Command.binary] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let environment = ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 }
        let process = try ChildProcess(
            "script", ["-q", "-e", "-c", line, "/dev/null"], environment: environment, output: output)
        async let text = output.fileHandleForReading.allText()
        #expect(await process.exitStatus == 0)
        return await text
    }

    @Test("A slow command shows its elapsed time after a second, and wipes it away", .defaultTimeLimit)
    func progress() async throws {
        let gate = Gate()
        let backEnd = try LoopbackServer(behind: gate)
        let script = "function run() { WL.Server.invokeHttp({ method: 'get', path: '/' }); return {}; }"
        let project = try makeProject(script)
        try project.write(adapterXML("A", connectivity: backEnd.connectivity), to: "adapters/A/A.xml")
        try project.write("limits:\n  wallClock: 86400\n", to: "lamplighter.yaml")
        let terminal = try TypedTerminal("'\(Command.binary)' call A/run --project '\(project.path)'", project: project)
        try await terminal.text.wait { $0.contains(/… calling A\/run, [1-9][0-9]* s/) }
        gate.open()
        try await terminal.text.wait { $0.hasSuffix("s\r\u{1B}[K" + #"{"isSuccessful":true}"# + "\r\n") }
        #expect(await terminal.exitStatus == 0)
        await backEnd.stop()
    }

    @Test("No elapsed time is shown with --json, on a dumb terminal or in a pipe")
    func noProgress() async throws {
        let project = try project()
        let slow = ["call", "A/slow", "[1.1]", "--project", project.path]
        #expect(try await onTerminal(slow + ["--json"]) == #"{"isSuccessful":true,"done":true}"# + "\r\n")
        #expect(
            try await onTerminal(slow, environment: ["TERM": "dumb"]) == #"{"isSuccessful":true,"done":true}"# + "\r\n")
        #expect(try await Command.run(slow, environment: ["TERM": "xterm"]).errors == "")
    }

    @Test("prints levels in colour on a terminal unless NO_COLOR is set")
    func colours() async throws {
        let project = try project()
        let server = try await ServerProcess([project.path])
        _ = try await Command.run(["call", "A/run", "--project", project.path])
        let logs = ["logs", "--adapter", "A", "--project", project.path]
        #expect(try await onTerminal(logs).contains("\u{1B}[33mwarning\u{1B}[0m A: careful"))
        #expect(try await onTerminal(logs, environment: ["NO_COLOR": "1"]).contains("Z warning A: careful"))
        #expect(!(try await Command.run(logs, environment: ["TERM": "xterm"]).output.contains("\u{1B}")))
        _ = server
    }
}
