import Core
import Foundation
import TestSupport
import Testing

@Suite("The settings of the log", .defaultTimeLimit)
struct LogFileTests {
    private let project: TemporaryFolder

    init() throws {
        project = try makeProject("function run(text) { WL.Logger.info('said ' + text); return {}; }")
    }

    private func say(_ text: String) async throws {
        let outcome = try await Command.run(["call", "A/run", #"["\#(text)"]"#, "--project", project.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func contents(of file: String) throws -> String {
        try String(contentsOf: project.url.appending(path: file), encoding: .utf8)
    }

    @Test("log.format: json writes each line as an object, also the ready line")
    func json() async throws {
        try project.write("log:\n  format: json\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        try await say("hello")
        #expect(await server.end(with: SIGTERM) == 0)
        let lines = try await server.wholeLog().split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        let said = try #require(lines.first { $0["message"] == "said hello" })
        #expect(said["level"] == "info")
        #expect(said["adapter"] == "A")
        #expect(said["time"]?.string != nil)
        #expect(lines.contains { $0["note"]?.string?.hasPrefix("lamplighter is ready: ") == true })
    }

    @Test("an unknown log.format is an error")
    func unknownFormat() async throws {
        try project.write("log:\n  format: xml\n", to: "lamplighter.yaml")
        let outcome = try await Command.run(["serve", project.path, "--port", "0"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("log.format is 'xml'; expected text or json"))
    }

    @Test("with log.access lines that are written while a request is handled have its id")
    func requestID() async throws {
        try project.write("log:\n  format: json\n  access: true\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        let body = #"{"account":"eve","password":"wrong-password"}"#
        let outcome = try await Command.shell(
            "curl -sS -H 'Content-Type: application/json' -d '\(body)' \(server.url)/management/v1/login",
            in: project.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(await server.end(with: SIGTERM) == 0)
        let lines = try await server.wholeLog().split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        let refusal = try #require(lines.first { $0["message"]?.string?.contains("a login as 'eve'") == true })
        let access = try #require(lines.first { $0["metadata"]?["route"] == "/management/v1/login" })
        let id = try #require(refusal["metadata"]?["trace_id"]?.string)
        #expect(id.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(access["metadata"]?["trace_id"]?.string == id)
        for key in ["status", "duration", "bytes"] { #expect(access["metadata"]?[key]?.number != nil, "\(key)") }
    }

    @Test("appends the log to log.file, which others cannot read")
    func file() async throws {
        try project.write("log:\n  file: server.log\n", to: "lamplighter.yaml")
        let first = try await ServerProcess([project.path])
        try await say("one")
        #expect(await first.end(with: SIGTERM) == 0)
        let second = try await ServerProcess([project.path])
        try await say("two")
        #expect(await second.end(with: SIGTERM) == 0)
        let log = try contents(of: "server.log")
        #expect(log.contains("info    A: said one\n") && log.contains("info    A: said two\n"))
        #expect(await !second.wholeLog().contains("said two"))
        let attributes = try FileManager.default.attributesOfItem(atPath: project.path("server.log"))
        let mode = try #require(attributes[.posixPermissions] as? Int)
        #expect(mode & 0o137 == 0)
    }

    @Test("after a rename the server writes to the former file up to SIGHUP, and to a new one from then on")
    func rotation() async throws {
        try project.write("log:\n  file: server.log\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        let reader = try RunningCommand(["logs", "--follow", "--project", project.path])
        try FileManager.default.moveItem(atPath: project.path("server.log"), toPath: project.path("server.log.1"))
        try await say("before")
        server.signal(SIGHUP)
        #expect(await reader.output(with: "SIGHUP: read").contains("SIGHUP: read"))
        try await say("after")
        #expect(await server.end(with: SIGTERM) == 0)
        let (former, new) = (try contents(of: "server.log.1"), try contents(of: "server.log"))
        #expect(former.contains("said before") && !former.contains("SIGHUP") && !former.contains("said after"))
        #expect(new.contains("SIGHUP: read") && new.contains("said after") && !new.contains("said before"))
        _ = await reader.end(with: SIGKILL)
    }

    @Test("a file that cannot be opened again leaves the former one in use")
    func failedRotation() async throws {
        try project.write("log:\n  file: log/server.log\n", to: "lamplighter.yaml")
        try project.write("", to: "log/server.log")
        let server = try await ServerProcess([project.path])
        let reader = try RunningCommand(["logs", "--follow", "--project", project.path])
        try FileManager.default.moveItem(atPath: project.path("log"), toPath: project.path("former"))
        server.signal(SIGHUP)
        #expect(await reader.output(with: "SIGHUP: read").contains("SIGHUP: read"))
        #expect(await server.end(with: SIGTERM) == 0)
        #expect(
            try contents(of: "former/server.log").contains(
                "the log's file was not reopened: log.file '\(project.path("log/server.log"))': the file cannot be opened: "
                    + "No such file or directory"))
        _ = await reader.end(with: SIGKILL)
    }

    @Test("a file that cannot be opened at the start is an error that names the setting, the path and the reason")
    func missingFolder() async throws {
        try project.write("log:\n  file: missing/server.log\n", to: "lamplighter.yaml")
        let outcome = try await Command.run(["serve", project.path, "--port", "0"])
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains(
                "log.file '\(project.path("missing/server.log"))': the file cannot be opened: No such file or directory; "
                    + "create its folder"))
    }

    @Test("the JSON of a line has no control characters of a terminal")
    func controlCharacters() async throws {
        try project.write("log:\n  file: server.log\n  format: json\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        try await say("\u{9B}31m\u{202E}")
        #expect(await server.end(with: SIGTERM) == 0)
        let log = try contents(of: "server.log")
        #expect(log.contains(#"said \u009b31m\u202e"#), "\(log)")
        #expect(!log.unicodeScalars.contains { ["\u{9B}", "\u{202E}"].contains($0) })
    }

    @Test("the error of a setting hides the password in an address")
    func passwordInAddress() async throws {
        let outcome = try await Command.run(
            ["serve", project.path, "--port", "0"],
            environment: ["LAMPLIGHTER_TRACES_ENDPOINT": "http://ann:the-password@127.0.0.1:4318?key=the-key"])
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("LAMPLIGHTER_TRACES_ENDPOINT=http://…@127.0.0.1:4318?…: expected "))
        #expect(!outcome.errors.contains("the-password") && !outcome.errors.contains("the-key"))
    }

    @Test("a named pipe is refused, also one without a reader")
    func namedPipe() async throws {
        #expect(mkfifo(project.path("server.log"), 0o600) == 0)
        try project.write("log:\n  file: server.log\n", to: "lamplighter.yaml")
        let outcome = try await Command.run(["serve", project.path, "--port", "0"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("log.file '\(project.path("server.log"))': the file cannot be opened: "))
    }

    @Test("lines that the file does not take go to standard error, after one line with the reason")
    func fullDisk() async throws {
        try project.write("log:\n  file: /dev/full\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        try await say("hello")
        #expect(await server.end(with: SIGTERM) == 0)
        let log = await server.wholeLog()
        #expect(log.contains("info    A: said hello\n"))
        let reason = "log.file '/dev/full': the file cannot be written: No space left on device"
        #expect(log.components(separatedBy: reason).count == 2)
    }
}
