import Core
import Foundation
import TestSupport
import Testing

@Suite("Commands of operators")
struct OperatingTests {
    private static let script = """
        WL.Server.createEventSource({ name: 'S' });
        function run(user) {
            var u = WL.Server.getUserNotificationSubscription('A.S', user);
            WL.Server.notifyAllDevices(u, WL.Server.createDefaultNotification('hi ' + user, 1, {}));
            return {};
        }
        """

    /// A project with a phone of ann's and one of bob's, and a notification to each.
    private func prepare(_ project: TemporaryFolder) async throws -> [String] {
        let there = ["--project", project.path]
        for user in ["ann", "bob"] {
            let device = "phone-of-\(user)-with-a-long-name-that-does-not-fit"
            _ = try await Command.run(
                [
                    "subscribe", "A.S", "--user", user, "--device", device, "--platform", "Android", "--token",
                    "t-\(user)",
                ]
                    + there)
            #expect(try await Command.run(["call", "A/run", "'\(user)'"] + there).status == 0)
        }
        return there
    }

    private func list(_ arguments: [String]) async throws -> [JSONValue] {
        let outcome = try await Command.run(arguments + ["--json"])
        return try #require(try JSONValue(parsing: outcome.output).array, "\(outcome.output)\(outcome.errors)")
    }

    @Test("deliveries, devices and users are filtered, and their tables fit 80 columns")
    func lists() async throws {
        let project = try makeProject(Self.script)
        let there = try await prepare(project)
        #expect(try await list(["deliveries", "--user", "ann"] + there).map { $0["text"] } == ["hi ann"])
        #expect(try await list(["deliveries", "--since", "1h", "--state", "queued"] + there).count == 2)
        #expect(try await list(["deliveries", "--since", "2999-01-01T00:00:00Z"] + there).isEmpty)
        #expect(try await list(["deliveries", "--until", "1h"] + there).isEmpty)
        #expect(try await list(["deliveries", "--since", "1h", "--until", "2999-01-01T00:00:00Z"] + there).count == 2)
        #expect(try await list(["deliveries", "--limit", "1"] + there).map { $0["text"] } == ["hi bob"])
        #expect(try await list(["devices", "--user", "bob"] + there).map { $0["user"] } == ["bob"])
        #expect(try await list(["devices", "--platform", "google"] + there).count == 2)
        #expect(try await list(["devices", "--platform", "iOS"] + there).isEmpty)
        #expect(try await list(["devices", "--prefix", "phone-of-a"] + there).map { $0["user"] } == ["ann"])
        #expect(try await list(["users"] + there).map { $0["user"] } == ["ann", "bob"])
        for command in ["deliveries", "devices", "users", "status"] {
            let table = try await Command.run([command] + there, environment: ["COLUMNS": "80"])
            let lines = table.output.split(separator: "\n")
            #expect(table.status == (command == "status" ? 2 : 0))
            #expect(lines.count >= 3 && lines.allSatisfy { $0.count <= 80 }, "\(table.output)")
        }
    }

    @Test("A delivery is shown and cancelled by its number")
    func delivery() async throws {
        let project = try makeProject(Self.script)
        let there = try await prepare(project)
        let first = try #require(try await list(["deliveries", "--user", "ann"] + there).first)
        let number = first["number"]?.text ?? ""
        #expect(try await list(["deliveries", "--message", first["message"]?.string ?? ""] + there).count == 1)
        let shown = try await Command.run(["deliveries", number, "--json"] + there)
        #expect(try JSONValue(parsing: shown.output)["state"] == "queued")
        let retried = try await Command.run(["deliveries", number, "--retry"] + there)
        #expect(retried.status == 1 && retried.errors.contains("the delivery is queued"))
        #expect(try await Command.run(["deliveries", number, "--cancel"] + there).status == 0)
        let table = try await Command.run(["deliveries", "--state", "refused"] + there)
        #expect(table.output.contains("cancelled by an operator"))
        let again = try await Command.run(["deliveries", number, "--retry", "--json"] + there)
        #expect(try JSONValue(parsing: again.output)["state"] == "queued")
        #expect(try await Command.run(["deliveries", "--retry"] + there).status == 2)
    }

    @Test("shows the whole reason of a delivery at 80 columns, and a delivery by its number as lines")
    func reason() async throws {
        let project = try makeProject(Self.script)
        let there = try await prepare(project)
        let number = try #require(try await list(["deliveries", "--user", "ann"] + there).first?["number"]?.text)
        #expect(try await Command.run(["deliveries", number, "--cancel"] + there).status == 0)
        let table = try await Command.run(["deliveries"] + there, environment: ["COLUMNS": "80"])
        #expect(table.output.contains("\n    cancelled by an operator\n"), "\(table.output)")
        let shown = try await Command.run(["deliveries", number] + there)
        #expect(shown.output.contains("\nState          refused\nReason         cancelled by an operator\n"))
        #expect(shown.output.contains("\nUser           ann\n") && !shown.output.contains("{"), "\(shown.output)")
    }

    @Test("status shows the numbers of devices, subscriptions and deliveries")
    func status() async throws {
        let project = try makeProject(Self.script)
        let there = try await prepare(project)
        let value = try JSONValue(parsing: try await Command.run(["status", "--json"] + there).output)
        #expect(value["devices"] == 2 && value["subscriptions"] == 2 && value["deliveries"]?["queued"] == 2)
        #expect(try await Command.run(["status"] + there).output.contains("2 queued"))
    }

    @Test(
        "creates no store and no data folder for a command that only reads",
        arguments: [
            ["status"], ["deliveries"], ["deliveries", "1"], ["devices"], ["devices", "d"], ["users"],
            ["subscriptions"],
            ["client-log"], ["application"], ["account", "list"], ["token", "list"], ["send", "--status", "x"],
            ["logs"],
        ])
    func readsOnly(command: [String]) async throws {
        let project = try makeProject(Self.script)
        let data = project.path("elsewhere/data")
        let outcome = try await Command.run(command + ["--project", project.path, "--data", data])
        #expect(outcome.status == (command == ["status"] ? 2 : 1))
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(data) && outcome.errors.contains("lamplighter serve"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: project.path("elsewhere")))
    }

    // The superuser may read everything.
    @Test("reports a denied permission where a data folder cannot be read", .enabled(if: getuid() != 0))
    func deniedFolder() async throws {
        let project = try makeProject(Self.script)
        let data = project.path(".lamplighter")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: data)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: data) }
        let outcome = try await Command.run(["status", "--project", project.path])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("\(data): permission denied for the user"), "\(outcome.errors)")
    }

    @Test("fails with a warning when a message reaches nobody")
    func sendToNobody() async throws {
        let project = try makeProject(Self.script)
        let there = try await prepare(project)
        let sent = try await Command.run(["send", "hi", "--user", "ann", "--application", "PushApp"] + there)
        #expect(sent.status == 0, "\(sent.errors)")
        let lost = try await Command.run(["send", "hi", "--user", "nobody", "--application", "PushApp"] + there)
        #expect(lost.status == 1)
        #expect(try JSONValue(parsing: lost.output)["recipients"] == 0)
        #expect(lost.errors.contains("warning: no device of the application 'PushApp' matches"))
    }

    @Test("refuses an event source that neither an adapter nor a subscription has")
    func unknownEventSource() async throws {
        let project = try makeProject(Self.script)
        let there = try await prepare(project)
        let outcome = try await Command.run(["subscriptions", "Foo.Bar"] + there)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("there is no event source 'Foo.Bar'; there are: A.S"), "\(outcome.errors)")
    }

    @Test("A device is shown and removed")
    func device() async throws {
        let project = try makeProject(Self.script)
        let there = try await prepare(project)
        let id = "phone-of-ann-with-a-long-name-that-does-not-fit"
        let shown = try await Command.run(["devices", id, "--application", "PushApp"] + there)
        #expect(try JSONValue(parsing: shown.output)["subscriptions"]?.array?.count == 1)
        #expect(try await Command.run(["devices", id, "--application", "PushApp", "--remove"] + there).status == 0)
        let gone = try await Command.run(["devices", id, "--application", "PushApp"] + there)
        #expect(gone.status == 1 && gone.errors.contains("unknown device"))
    }

    @Test("A token is printed once, listed without its secret, and removed")
    func token() async throws {
        let project = try makeProject(Self.script)
        let there = ["--project", project.path]
        let token = try await Command.run(["token", "add", "backup", "--role", "monitor"] + there).output
        #expect(token.hasPrefix("lamplighter_"))
        let listed = try await Command.run(["token", "list"] + there).output
        #expect(listed.contains("backup") && !listed.contains("lamplighter_"))
        #expect(try await Command.run(["token", "add", "backup", "--role", "admin"] + there).status == 1)
        #expect(try await Command.run(["token", "add", "other", "--role", "king"] + there).status == 2)
        #expect(try await Command.run(["token", "remove", "backup"] + there).status == 0)
        #expect(try await list(["token", "list"] + there).isEmpty)
    }

    @Test("An account is added with the password on standard input, listed and removed")
    func account() async throws {
        let project = try makeProject(Self.script)
        let there = ["--project", project.path]
        func add(_ name: String, _ password: String) async throws -> Command.Outcome {
            try await Command.shell(
                "printf '%s\\n' '\(password)' | lamplighter account add \(name) --role operator --project \(project.path)",
                in: project.url)
        }
        let added = try await add("ann", "a long password")
        #expect(added.output == #"{"name":"ann","role":"operator"}"# + "\n", "\(added.errors)")
        let short = try await add("bob", "short")
        #expect(short.status == 1 && short.errors.contains("password: expected a string of 12 to 1024 characters"))
        #expect(!short.errors.contains("short"))
        #expect(try await list(["account", "list"] + there).map { $0["name"] } == ["ann"])
        #expect(try await Command.run(["account", "change", "ann", "--role", "admin"] + there).status == 0)
        #expect(try await Command.run(["account", "remove", "ann"] + there).output.contains("admin"))
        #expect(try await Command.run(["account", "remove", "ann"] + there).status == 1)
    }

    /// The settings of a running server.
    private func settings(of server: ServerProcess, in project: TemporaryFolder) async throws -> [JSONValue] {
        let note = try JSONValue(
            parsing: try String(contentsOf: project.url.appending(path: ".lamplighter/server.json"), encoding: .utf8))
        let answer = try await Command.shell(
            "curl -sS -H 'Authorization: Bearer \(note["managementKey"]?.string ?? "")' \(server.url)/management/v1/settings",
            in: project.url)
        return try #require(try JSONValue(parsing: answer.output)["items"]?.array)
    }

    @Test("The settings of a running server have their values and sources, and no secrets")
    func settings() async throws {
        let project = try makeProject(Self.script)
        try project.write(
            "limits:\n  machines: 3\nbackEnds:\n  token: a-secret-of-back-ends\ntrustedProxies: [10.0.0.0/8, '::1']\n",
            to: "lamplighter.yaml")
        let server = try await ServerProcess(
            [project.path], environment: ["LAMPLIGHTER_LOGS_KEPT": "77"], limits: [:])
        let items = try await settings(of: server, in: project)
        func setting(_ key: String) -> [String?] {
            let item = items.first { $0["key"]?.string == key }
            return [item?["value"]?.string, item?["unset"]?.string, item?["source"]?.string]
        }
        #expect(setting("limits.machines") == ["3", nil, "lamplighter.yaml:2"])
        #expect(setting("logs.kept") == ["77", nil, "LAMPLIGHTER_LOGS_KEPT"])
        #expect(setting("port") == ["0", nil, "flag of serve"])
        #expect(setting("backEnds.token") == [nil, nil, "lamplighter.yaml:4"])
        #expect(setting("trustedProxies") == ["10.0.0.0/8, ::1", nil, "lamplighter.yaml:5"])
        #expect(setting("mode") == ["development", nil, "default"])
        #expect(setting("limits.request") == ["4096", nil, "default"])
        #expect(setting("limits.bodies") == ["256", nil, "default"])
        #expect(setting("clientLog.retention") == ["30", nil, "default"])
        #expect(setting("limits.cpuTime") == ["10", nil, "default"])
        #expect(setting("data") == [project.url.appending(path: ".lamplighter").path, nil, "default"])
        #expect(setting("tls.certificate") == [nil, "not set", "default"])
        #expect(setting("store") == [nil, "a file in the data folder", "default"])
        #expect(items.filter { $0["secret"] == .bool(true) }.allSatisfy { $0["value"] == nil })
        #expect(!items.contains { "\($0)".contains("a-secret-of-back-ends") })
        _ = await server.end(with: SIGTERM)
    }

    @Test("Each value that a server shows is one that lamplighter.yaml takes, and means the same there")
    func shownSettings() async throws {
        let project = try makeProject(Self.script)
        let first = try await ServerProcess([project.path], limits: [:])
        let standard = try await settings(of: first, in: project)
        _ = await first.end(with: SIGTERM)
        let lines = standard.compactMap { item -> String? in
            guard let key = item["key"]?.string, let value = item["value"]?.string else { return nil }
            return "\(key): '\(value)'\n"
        }
        #expect(lines.count > 40)
        try project.write(lines.joined(), to: "lamplighter.yaml")
        let second = try await ServerProcess([project.path], limits: [:])
        let given = try await settings(of: second, in: project)
        func values(_ items: [JSONValue]) -> [[JSONValue?]] { items.map { [$0["key"], $0["value"], $0["unset"]] } }
        #expect(values(given) == values(standard))
        #expect(given.count { $0["source"] != "default" } == lines.count)
        _ = await second.end(with: SIGTERM)
    }
}
