import Core
import Foundation
import TestSupport
import Testing

@Suite("Output for programs")
struct JSONOutputTests {
    private static let script = """
        WL.Server.createEventSource({ name: 'S' });
        function run() { WL.Logger.warn('careful'); throw new Error('no') }
        """

    @Test("A list with --json is an array on one line, and otherwise a table of 80 columns")
    func oneLine() async throws {
        let project = try makeProject(Self.script)
        let there = ["--project", project.path]
        for user in ["ann", "bob"] {
            _ = try await Command.run(
                ["subscribe", "A.S", "--user", user, "--device", "d", "--platform", "Android", "--token", "t"] + there)
        }
        _ = try await Command.run(
            ["application", "App", "android", "1.0", "--access", "notify", "--message", "x"] + there)
        for command in ["subscriptions", "deliveries", "application", "client-log"] {
            let compact = try await Command.run([command] + there + ["--json"])
            let items = try #require(try JSONValue(parsing: compact.output).array)
            #expect(compact.output.count { $0 == "\n" } == 1, "\(command)")
            let table = try await Command.run([command] + there, environment: ["COLUMNS": "80"])
            let lines = table.output.split(separator: "\n")
            #expect(lines.count == (items.isEmpty ? 0 : items.count + 1), "\(command)")
            #expect(lines.allSatisfy { $0.count <= 80 })
        }
    }

    @Test("subscriptions lists phone numbers after devices, and --user finds either")
    func numbers() async throws {
        let project = try makeProject(
            """
            WL.Server.createEventSource({ name: 'S' });
            function run() { return { made: WL.Server.subscribeSMS('A.S', '+49 170 123456', 'gate') !== null }; }
            """)
        let there = ["--project", project.path]
        _ = try await Command.run(
            ["subscribe", "A.S", "--user", "ann", "--device", "d", "--platform", "Android", "--token", "t"] + there)
        #expect(try await Command.run(["call", "A/run"] + there).output.contains(#""made":true"#))
        let all = try JSONValue(parsing: try await Command.run(["subscriptions", "--json"] + there).output).array
        #expect(all?.map { $0["platform"] } == ["Android", "SMS"])
        #expect(all?.last?["phoneNumber"] == "+49170123456")
        let own = try await Command.run(["subscriptions", "--user", "+49170123456", "--json"] + there).output
        #expect(try JSONValue(parsing: own).array?.map { $0["platform"] } == ["SMS"])
    }

    @Test("--json makes every line of standard error an object: the log's lines, warnings and errors")
    func errors() async throws {
        let project = try makeProject(Self.script)
        let there = ["--project", project.path, "--json"]
        let failed = try await Command.run(["call", "A/run"] + there)
        #expect(failed.status == 1)
        #expect(try JSONValue(parsing: failed.output)["isSuccessful"] == false)
        let lines = try failed.errors.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(lines.contains { $0["level"] == "warning" && $0["message"] == "careful" })
        let nothing = try await Command.run(["unsubscribe", "A.S", "--user", "x", "--device", "d"] + there)
        let remark = try #require(nothing.errors.split(separator: "\n").last)
        #expect(
            try JSONValue(parsing: String(remark))["error"]?.string?.hasPrefix("unknown subscription") == true)
        let noServer = try await Command.run(["logs"] + there)
        #expect(noServer.status == 1)
        #expect(try JSONValue(parsing: noServer.errors)["error"]?.string?.hasPrefix("no server is running") == true)
    }

    @Test("A usage error is an object with --json, too, and comes without the usage")
    func usage() async throws {
        let outcome = try await Command.run(["subscriptions", "--nonsense", "--json"])
        #expect(outcome.status == 2)
        #expect(try JSONValue(parsing: outcome.errors)["error"]?.string == "Unknown option '--nonsense'")
    }

    @Test("An argument after -- is not a flag")
    func afterDashes() async throws {
        let outcome = try await Command.run(["nonsense", "--", "--json"])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("Usage: lamplighter"))
    }
}
