import Core
import Foundation
import TestSupport
import Testing

@Suite("Following deliveries")
struct FollowedDeliveriesTests {
    private static let script = """
        WL.Server.createEventSource({ name: 'S' });
        function run(user, text) {
            var u = WL.Server.getUserNotificationSubscription('S', user);
            WL.Server.notifyAllDevices(u, WL.Server.createDefaultNotification(text, 1, {}));
            return {};
        }
        """

    private func subscribe(_ project: TemporaryFolder) async throws {
        for (device, platform, token) in [
            ("phone", "Android", "t-1"), ("watch", "Apple", String(repeating: "ab", count: 32)),
        ] {
            _ = try await Command.run([
                "subscribe", "A.S", "--user", "ann", "--device", device, "--platform", platform, "--token", token,
                "--project", project.path,
            ])
        }
    }

    private func notify(_ text: String, _ project: TemporaryFolder) async throws {
        let outcome = try await Command.run(["call", "A/run", #"["ann", "\#(text)"]"#, "--project", project.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// The process, once it follows.
    private func follow(_ project: TemporaryFolder, _ more: [String] = []) async throws -> RunningCommand {
        let command = try RunningCommand(["deliveries", "--follow", "--project", project.path] + more)
        _ = await command.errors(with: "following the deliveries")
        return command
    }

    @Test("Each new delivery and each change of its state is a line", .defaultTimeLimit)
    func lines() async throws {
        let project = try makeProject(Self.script)
        let server = try await ServerProcess([project.path])
        try await subscribe(project)
        try await notify("too early", project)
        let command = try await follow(project)
        try await notify("You have mail", project)
        let seen = await command.output(with: #"previewed Android      ann/phone A.S "You have mail""#)
        let android = seen.split(separator: "\n").filter { $0.contains("Android") && $0.contains("You have mail") }
        #expect(android.map { $0.split(separator: " ")[1] } == ["queued", "sending", "previewed"])
        _ = await command.output(with: #"previewed Apple        ann/watch A.S "You have mail""#)
        #expect(await command.end(with: SIGINT) == 128 + SIGINT)
        _ = server
    }

    @Test("--json prints each change as an object, the delivery as deliveries shows it", .defaultTimeLimit)
    func json() async throws {
        let project = try makeProject(Self.script)
        let server = try await ServerProcess([project.path])
        try await subscribe(project)
        let command = try await follow(project, ["--json", "--state", "previewed"])
        try await notify("hi", project)
        _ = await command.output(with: #""platform":"Android""#)
        let text = await command.output(with: #""platform":"Apple""#)
        let told = try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        let listed = try JSONValue(
            parsing: await Command.run(["deliveries", "--json", "--project", project.path]).output)
        #expect(told.count == 2)
        for change in told {
            let same = try #require(listed.array?.first { $0["id"] == change["delivery"]?["id"] })
            #expect(change["delivery"] == same)
            #expect(change["time"] == same["ended"])
        }
        _ = server
    }

    @Test("A new server is followed from its beginning", .defaultTimeLimit)
    func restart() async throws {
        let project = try makeProject(Self.script)
        var server = try await ServerProcess([project.path])
        try await subscribe(project)
        let command = try await follow(project)
        try await notify("one", project)
        _ = await command.output(with: #"previewed Android      ann/phone A.S "one""#)
        _ = await server.end(with: SIGTERM)
        _ = await command.errors(with: "the server has stopped")
        server = try await ServerProcess([project.path])
        try await notify("two", project)
        let seen = await command.output(with: #"previewed Android      ann/phone A.S "two""#)
        #expect(seen.components(separatedBy: #"queued    Android      ann/phone A.S "two""#).count == 2)
        _ = server
    }

    @Test("A wrong state, or a limit with --follow, is wrong usage")
    func usage() async throws {
        let project = try makeProject(Self.script)
        for wrong in [["--state", "lost"], ["--follow", "--limit", "5"]] {
            #expect(try await Command.run(["deliveries", "--project", project.path] + wrong).status == 2)
        }
    }
}
