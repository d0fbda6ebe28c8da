import Foundation
import PushModel
import Storage
import TestSupport
import Testing

@Suite("The export of subscriptions on an old server", .defaultTimeLimit)
struct ExportAdapterTests {
    /// The functions of the old server that the script calls, with the subscriptions of two users.
    private static let oldServer = """
        var WL = { Server: {
            createEventSource: function () {},
            getUserNotificationSubscription: function (source, user) {
                if (source !== 'A.S' || user === 'nobody') { return null; }
                return { userId: user, state: { seen: [1] }, getDeviceSubscriptions: function () {
                    var devices = [{ alias: 'mine', device: 'phone-' + user, token: TOKENS[user],
                        applicationId: 'com.example.app', platform: 'Apple', options: { badge: 1, text: 'ü "x"' } }];
                    if (user === 'ann') { devices.push({ alias: 'sms', device: '+49170123456', platform: 'SMS' }); }
                    return devices;
                } };
            }
        } };
        """

    private func project() throws -> TemporaryFolder {
        let project = try makeProject("WL.Server.createEventSource({ name: 'S' });\nfunction run() {}")
        try project.write(
            """
            <application id="com.example.app" xmlns="http://www.worklight.com/application-descriptor">
            <iphone version="1.0" bundleId="com.example.app"/></application>
            """, to: "apps/App/application-descriptor.xml")
        return project
    }

    /// Runs `new export`, and makes a project of the archive.
    private func export(_ project: TemporaryFolder) async throws -> (script: String, procedure: String) {
        let made = try await Command.run([
            "new", "export", "A", "--users", project.path("users.txt"), "--output", project.path("out.jsonl"), "--to",
            project.path("A.adapter"), "--project", project.path,
        ])
        #expect(made.status == 0 && made.output == project.path("A.adapter") + "\n", "\(made)")
        let copy = try await Command.run(["import", project.path("A.adapter"), "--to", project.path("copy")])
        #expect(copy.status == 0, "\(copy)")
        let xml = try String(contentsOfFile: project.path("copy/adapters/A/A.xml"), encoding: .utf8)
        let match = try #require(
            xml.firstMatch(of: /<procedure name="(lamplighterExport[0-9a-f]{16})" securityTest="wl_unprotected"\/>/))
        #expect(made.errors.contains("procedure=\(match.1)&parameters=[]"))
        return (project.path("copy/adapters/A/A-impl.js"), String(match.1))
    }

    @Test("The archive is the adapter with one more procedure, which check accepts but for its Java")
    func archive() async throws {
        let project = try project()
        let (script, procedure) = try await export(project)
        let text = try String(contentsOfFile: script, encoding: .utf8)
        #expect(text.contains("function run() {}") && text.contains("function \(procedure)()"))
        #expect(text.contains(#"var sources = ["S"];"#))
        let again = try await Command.run([
            "new", "export", "A", "--users", "u", "--output", "o", "--to", project.path("A.adapter"), "--project",
            project.path,
        ])
        #expect(again.status == 1 && again.errors.contains("A.adapter: it exists already"))
    }

    @Test("In the original's engine it writes the subscriptions of the users, and import-devices takes them", .long)
    func inRhino() async throws {
        let project = try project()
        let tokens = try ["ann", "bob"].map { ($0, try DeviceToken(exampleOf: $0, platform: .apple).value) }
        let table = tokens.map { "\($0.0): '\($0.1)'" }.joined(separator: ", ")
        try project.write("var TOKENS = { \(table) };\n" + Self.oldServer, to: "old.js")
        try project.write("ann\n\n nobody \r\nbob", to: "users.txt")
        let (script, procedure) = try await export(project)
        try project.write("print(JSON.stringify(\(procedure)()));", to: "call.js")
        let output = Pipe()
        let rhino = try ChildProcess(
            "rhino", ["-f", project.path("old.js"), "-f", script, "-f", project.path("call.js")],
            output: output, errors: output)
        let result = await output.fileHandleForReading.allText()
        #expect(await rhino.exitStatus == 0)
        #expect(result.contains(#"{"users":3,"devices":2,"phoneNumbers":1,"output":""#), "\(result)")
        let imported = try await Command.run(["import-devices", project.path("out.jsonl"), "--project", project.path])
        #expect(imported.output == "rows: 2\nimported: 2\n", "\(imported)")
        let store = try SQLStore(folder: project.path(".lamplighter"), busyTimeout: .noLimit)
        let subscriptions = try store.deviceSubscriptions(matching: SubscriptionFilter())
        try #require(subscriptions.map(\.userID) == ["ann", "bob"] && subscriptions.map(\.alias) == ["mine", "mine"])
        #expect(subscriptions[0].options == ["badge": 1, "text": "ü \"x\""])
        let source = EventSourceID(adapter: "A", name: "S")
        #expect(try store.userSubscription(eventSource: source, userID: "ann")?.state == ["seen": [1]])
    }

    @Test("An adapter without event sources is an error")
    func noEventSource() async throws {
        let project = try makeProject("function run() {}")
        let outcome = try await Command.run(
            ["new", "export", "A", "--users", "u", "--output", "o", "--project", project.path])
        #expect(outcome.status == 1 && outcome.errors.contains("names no event source"))
    }
}
