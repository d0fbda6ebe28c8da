import Core
import Foundation
import Logging
import PushModel
import PushSandbox
import Storage
import TestSupport
import Testing

@Suite("Devices of an old server, from the command line", .serialized)
struct ImportDevicesTests {
    private static let devices = TestExtent.size(2000, full: 100_000)
    private static let kills = TestExtent.size(3, full: 10)
    /// The release build where there are many devices.
    private static let program = TestExtent.size(Command.binary, full: Command.release)

    private static let descriptor = """
        <application id="com.example.app" xmlns="http://www.worklight.com/application-descriptor">
        <iphone version="1.0" bundleId="com.example.app"/></application>
        """

    private func project() throws -> TemporaryFolder {
        let project = try makeProject("WL.Server.createEventSource({ name: 'S' });")
        try project.write(Self.descriptor, to: "apps/App/application-descriptor.xml")
        return project
    }

    private func store(of project: TemporaryFolder) throws -> SQLStore {
        try SQLStore(folder: project.path(".lamplighter"), busyTimeout: .noLimit)
    }

    /// Returns once a condition on the store holds, or the process has ended.
    private static func wait(
        for process: ChildProcess, in project: TemporaryFolder, until condition: @escaping @Sendable () throws -> Bool
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await project.waitForStore { try condition() } }
            group.addTask { _ = await process.exitStatus }
            try await group.next()
            group.cancelAll()
        }
    }

    @Test(
        "An import that is killed at random moments is completed by the next run, and all devices get a message once",
        .defaultTimeLimit)
    func killed() async throws {
        let sandbox = try await PushSandbox.start(logger: Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() })
        let project = try project()
        try project.useAPNs(of: sandbox)
        let rows = (0..<Self.devices).map {
            "com.example.app,d\($0),Apple,\(TemporaryFolder.token($0)),user-\($0 / 2),A.S"
        }
        try project.write(
            "application,device,platform,token,user,eventSource\n" + rows.joined(separator: "\n") + "\n",
            to: "devices.csv")
        let command = ["import-devices", project.path("devices.csv"), "--project", project.path]
        let store = try store(of: project)
        var random = SeededNumbers(state: 69)
        let moments = (0..<Self.kills).map { _ in Int.random(in: 0..<Self.devices, using: &random) }.sorted()
        for moment in moments {
            let process = try ChildProcess(Self.program, command)
            try await Self.wait(for: process, in: project) {
                try store.registration(applicationID: "com.example.app", deviceID: "d\(moment)") != nil
            }
            // The peak of its memory so far, in KB. All rows in memory would take far more in the full run.
            let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            if let peak = status?.firstMatch(of: /VmHWM:\s+(\d+)/).flatMap({ Int($0.1) }) { #expect(peak < 200_000) }
            process.send(SIGKILL)
            _ = await process.exitStatus
        }
        let last = try await Command.run(command + ["--json"], program: Self.program)
        #expect(last.status == 0, "\(last.errors)")
        let report = try JSONValue(parsing: last.output)
        #expect(report["rows"]?.number == Double(Self.devices) && report["refused"] == [] && report["kept"] == [])
        #expect(report["imported"]?.number ?? 0 < Double(Self.devices - moments[0]), "\(moments)")
        let subscriptions = try store.deviceSubscriptions(matching: SubscriptionFilter())
        #expect(Set(subscriptions.map(\.deviceID)).count == Self.devices && subscriptions.count == Self.devices)

        let server = try await ServerProcess([project.path], program: Self.program)
        let sent = try await Command.run(["send", "hi", "--everybody", "--project", project.path])
        #expect(sent.status == 0, "\(sent.errors)")
        _ = await sandbox.waitForArrivals(Self.devices, of: .apns)
        try await project.waitUntilDelivered(by: store)
        #expect(await server.end(with: SIGTERM) == 0)
        let tokens = sandbox.arrivals(of: .apns).compactMap(\.token)
        #expect(tokens.count == Self.devices && Set(tokens).count == Self.devices)
        await sandbox.stop()
    }

    @Test("A dump gets a mapping to confirm; nothing is imported before, and no output has a token", .defaultTimeLimit)
    func mapping() async throws {
        let project = try project()
        let tokens = (1...3).map { try? DeviceToken(exampleOf: "\($0)", platform: .apple).value }.compactMap(\.self)
        let rows = tokens.enumerated().map { "(\($0 + 1),'device-\($0)','\($1)','user-\($0)')" }
        try project.write(
            """
            -- MySQL dump 10.13
            CREATE TABLE `D` (`ID` int, `DEV` varchar(40), `TOK` varchar(200), `WHO` varchar(40));
            INSERT INTO `D` VALUES \(rows.joined(separator: ","));
            -- Dump completed
            """, to: "old.sql")
        let command = ["import-devices", project.path("old.sql"), "--project", project.path]
        let proposed = try await Command.run(command)
        #expect(proposed.status == 0 && proposed.errors.contains("old.sql: D, 3 rows"), "\(proposed.errors)")
        #expect(proposed.errors.contains("nothing was imported: check \(project.path("old.mapping.yaml"))"))
        let path = "old.mapping.yaml"
        var text = try String(contentsOfFile: project.path(path), encoding: .utf8)
        #expect(text.contains("  token: TOK  # the form of tokens\n"))
        #expect(text.contains("  application: com.example.app  # the project has: com.example.app\n"))
        #expect(text.contains("  eventSource: A.S  # the project has: A.S\n"))
        // Both columns hold strings; nothing shows which is the user's.
        text.replace(#/  user: .*\n/#, with: "  user: WHO\n  device: DEV\n")
        try project.write(text, to: path)
        let unconfirmed = try await Command.run(command)
        #expect(unconfirmed.output.contains("user-0") && unconfirmed.output.contains("can be imported: 3"))
        #expect(unconfirmed.errors.contains("nothing was imported"))
        #expect(!FileManager.default.fileExists(atPath: project.path(".lamplighter/lamplighter.sqlite")))
        try project.write(text.replacing("confirmed: false", with: "confirmed: true"), to: path)
        let done = try await Command.run(command)
        #expect(done.status == 0 && done.output == "rows: 3\nimported: 3\n", "\(done)")
        let again = try await Command.run(command)
        #expect(again.output == "rows: 3\nimported: 0\nknown already: 3\n")
        for outcome in [proposed, unconfirmed, done, again] {
            for token in tokens { #expect(!(outcome.output + outcome.errors).contains(token)) }
        }
        for token in tokens { #expect(!text.contains(token)) }
        #expect(try store(of: project).deviceSubscriptions(matching: SubscriptionFilter(userID: "user-1")).count == 1)
    }

    @Test("A file that is cut off is an error with its line, and leaves no store", .defaultTimeLimit)
    func cutOff() async throws {
        let project = try project()
        try project.write("application,device,token\ncom.example.app,d1", to: "devices.csv")
        let outcome = try await Command.run(
            ["import-devices", project.path("devices.csv"), "--project", project.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("lamplighter: devices.csv:2: found 2 fields, expected 3 as in the header"))
        #expect(!FileManager.default.fileExists(atPath: project.path(".lamplighter/lamplighter.sqlite")))
    }

    @Test("Devices are imported beside a running server, which reaches them at once", .defaultTimeLimit)
    func besideServer() async throws {
        let project = try project()
        let server = try await ServerProcess([project.path])
        try project.write(
            "application,device,platform,token,user,eventSource\ncom.example.app,d1,Apple,\(TemporaryFolder.token(1)),ann,A.S\n",
            to: "devices.csv")
        let outcome = try await Command.run(
            ["import-devices", project.path("devices.csv"), "--project", project.path])
        #expect(outcome.output == "rows: 1\nimported: 1\n", "\(outcome)")
        let listed = try await Command.run(["subscriptions", "--project", project.path])
        #expect(listed.output.contains("ann"))
        #expect(await server.end(with: SIGTERM) == 0)
    }
}
