import Core
import Foundation
import TestSupport
import Testing

@Suite("The log of a running server")
struct LogsTests {
    private static let script = """
        function run(text) {
            WL.Logger.info('said ' + text);
            WL.Logger.error('sighed ' + text);
            WL.Logger.debug('thought ' + text);
            return {};
        }
        """

    private func say(_ text: String, in project: TemporaryFolder) async throws {
        let outcome = try await Command.run(["call", "A/run", #"["\#(text)"]"#, "--project", project.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("logs shows the same lines that the server has written to standard error", .defaultTimeLimit)
    func sameLines() async throws {
        let project = try makeProject(Self.script)
        let server = try await ServerProcess([project.path])
        try await say("hello", in: project)
        let shown = try await Command.run(["logs", "--project", project.path])
        #expect(shown.status == 0)
        let lines = shown.output.split(separator: "\n")
        #expect(lines.contains { $0.hasSuffix("info    A: said hello") })
        #expect(lines.contains { $0.hasSuffix("error   A: sighed hello") })
        #expect(!shown.output.contains("thought"))
        for line in lines.map({ "\($0)\n" }) { #expect(await server.log(with: line).contains(line)) }
    }

    @Test("Lines are chosen by level, by adapter and by number")
    func filters() async throws {
        let project = try makeProject(Self.script)
        let server = try await ServerProcess([project.path])
        for word in ["one", "two"] { try await say(word, in: project) }
        let there = ["--project", project.path]
        let errors = try await Command.run(["logs", "--level", "error"] + there).output.split(separator: "\n")
        #expect(errors.map { $0.suffix(10) } == ["sighed one", "sighed two"])
        let last = try await Command.run(["logs", "--adapter", "A", "--limit", "1"] + there).output
        #expect(last.hasSuffix("A: sighed two\n"))
        #expect(last.count { $0 == "\n" } == 1)
        #expect(try await Command.run(["logs", "--adapter", "B"] + there).output == "")
        #expect(try await Command.run(["logs", "--limit", "0"] + there).status == 2)
        _ = server
    }

    @Test("--json prints each line as an object")
    func json() async throws {
        let project = try makeProject(Self.script)
        let server = try await ServerProcess([project.path, "--log-level", "debug"])
        try await say("hello", in: project)
        let outcome = try await Command.run(["logs", "--adapter", "A", "--json", "--project", project.path])
        let lines = try outcome.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        let said = try #require(lines.first { $0["message"] == "said hello" })
        #expect(said["level"] == "info")
        #expect(said["adapter"] == "A")
        #expect(lines.contains { $0["message"] == "thought hello" && $0["level"] == "debug" })
        _ = server
    }

    @Test("logs --follow prints new lines, also of a new server, until Ctrl-C", .defaultTimeLimit)
    func follow() async throws {
        let project = try makeProject(Self.script)
        var server = try await ServerProcess([project.path])
        try await say("before", in: project)
        let logs = try RunningCommand(["logs", "--follow", "--project", project.path])
        _ = await logs.output(with: "sighed before\n")
        try await say("meanwhile", in: project)
        _ = await logs.output(with: "sighed meanwhile\n")
        #expect(await server.end(with: SIGTERM) == 0)
        _ = await logs.errors(with: "waiting until it runs again")
        server = try await ServerProcess([project.path])
        _ = await logs.errors(with: "the server runs again")
        try await say("later", in: project)
        let shown = await logs.output(with: "sighed later\n")
        for word in ["before", "meanwhile", "later"] {
            #expect(shown.components(separatedBy: "said \(word)\n").count == 2, "\(shown)")
        }
        #expect(await logs.end(with: SIGINT) == 128 + SIGINT)
    }

    @Test("A follower is notified that the server has stopped", .defaultTimeLimit)
    func stopping() async throws {
        let project = try makeProject(Self.script)
        let server = try await ServerProcess([project.path])
        let logs = try RunningCommand(["logs", "--follow", "--project", project.path])
        let changes = try RunningCommand(["deliveries", "--follow", "--project", project.path])
        _ = await logs.output(with: "\n")
        _ = await changes.errors(with: "following")
        #expect(await server.end(with: SIGTERM) == 0)
        _ = await logs.errors(with: "the server has stopped")
        _ = await changes.errors(with: "the server has stopped")
    }

    @Test("leaves no error in the server's log when Ctrl-C ends it", .defaultTimeLimit)
    func interrupted() async throws {
        let project = try makeProject(Self.script)
        let server = try await ServerProcess([project.path])
        try await say("first", in: project)
        let logs = try RunningCommand(["logs", "--follow", "--project", project.path])
        let changes = try RunningCommand(["deliveries", "--follow", "--project", project.path])
        _ = await logs.output(with: "sighed first\n")
        // Both wait for news by now.
        try await say("second", in: project)
        _ = await logs.output(with: "sighed second\n")
        _ = await changes.errors(with: "following")
        _ = await logs.end(with: SIGINT)
        _ = await changes.end(with: SIGINT)
        try await say("third", in: project)
        #expect(await server.end(with: SIGTERM) == 0)
        let log = await server.wholeLog()
        #expect(!log.contains("CancellationError") && !log.contains("/management/v1/"), "\(log)")
    }

    @Test("logs --follow ends like any program when its reader closes the pipe", .defaultTimeLimit)
    func closedPipe() async throws {
        let project = try makeProject(Self.script)
        let server = try await ServerProcess([project.path])
        try await say("first", in: project)
        let line = "'\(Command.binary)' logs --follow --adapter A --project '\(project.path)'"
        let output = ProcessLog()
        // The shell that ran head closes the pipe before it says so.
        let pipe = try ChildProcess(
            "bash", ["-c", "set -o pipefail; \(line) | { head -n 1; exec 0<&-; echo READ; }"], output: output.pipe())
        _ = await output.text(with: "READ")
        try await say("second", in: project)
        #expect(await pipe.exitStatus == 128 + SIGPIPE)
        _ = server
    }

    @Test("The commands say without a server where the log is, and how to start one")
    func noServer() async throws {
        let project = try makeProject(Self.script)
        for arguments in [["logs"], ["logs", "--follow"], ["deliveries", "--follow"]] {
            let outcome = try await Command.run(arguments + ["--project", project.path])
            #expect(outcome.status == 1)
            #expect(outcome.output == "")
            #expect(outcome.errors.contains("no server is running on \(project.path)/.lamplighter"))
            #expect(outcome.errors.contains("start it with 'lamplighter serve \(project.path)'"))
        }
    }

    @Test("The note of a server that was killed is not taken for a server")
    func killedServer() async throws {
        let project = try makeProject(Self.script)
        let server = try await ServerProcess([project.path])
        _ = await server.end(with: SIGKILL)
        #expect(FileManager.default.fileExists(atPath: project.path(".lamplighter/server.json")))
        let outcome = try await Command.run(["logs", "--project", project.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("no server is running"))
    }

    @Test("The setting logs.kept limits the lines that a server keeps")
    func kept() async throws {
        let project = try makeProject(
            "function run() { for (var i = 0; i < 30; i++) WL.Logger.info('line ' + i); return {}; }")
        try project.write("logs:\n  kept: 5\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        #expect(try await Command.run(["call", "A/run", "--project", project.path]).status == 0)
        let lines = try await Command.run(["logs", "--project", project.path]).output.split(separator: "\n")
        #expect(lines.map { $0.suffix(7) } == (25...29).map { "line \($0)" })
        _ = server
    }
}
