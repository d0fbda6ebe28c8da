import Core
import Foundation
import Logging
import PushModel
import PushSandbox
import Storage
import TestSupport
import Testing

@Suite("kill -9 while callbacks of ended subscriptions run", .serialized, .defaultTimeLimit)
struct KilledCallbackTests {
    private static let source = EventSourceID(adapter: "A", name: "S")

    // MARK: Devices that are gone

    private static let users = 800
    private static let kills = 4
    /// The users among whom those with a good device get another message.
    private static let few = 400
    /// One device in eight is gone.
    private static let gone = Set(stride(from: 0, to: users, by: 8))

    /// The callbacks of devices from the number `heldFrom` on do not come to their end before the server is killed.
    private static let holdingScript = """
        WL.Server.createEventSource({
            name: 'S',
            onDeviceUnsubscribe: function (user, device) {
                if (Number(device.device.slice(1)) >= Number(WL.Server.configuration.heldFrom)) {
                    WL.Logger.warn('held: <' + device.device + '>');
                    while (true) {}
                }
                WL.Logger.warn('device gone: <' + device.device + '>');
            },
            onUserUnsubscribe: function (user) { WL.Logger.warn('user gone: <' + user.userId + '>'); }
        });
        function all(first, end) { for (var i = first; i < end; i++) { notify(i); } }
        function good(end) { for (var i = 0; i < end; i++) { if (i % 8) { notify(i); } } }
        function notify(i) {
            WL.Server.notifyAllDevices(
                WL.Server.getUserNotificationSubscription('S', 'u' + i), { APNS: { alert: 'hi' } });
        }
        """

    @Test(
        "runs each lost device's callbacks at least once although the server is killed repeatedly", .long)
    func removedDevices() async throws {
        let dead = Set(Self.gone.map(TemporaryFolder.token))
        var sandboxSettings = PushSandbox.Settings()
        sandboxSettings.fault = { request in
            dead.contains(request.token ?? "")
                ? .status(410, reason: "Unregistered", timestamp: Date().addingTimeInterval(60), retryAfter: nil) : nil
        }
        let sandbox = try await PushSandbox.start(
            sandboxSettings, logger: Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() })
        let project = try makeProject(Self.holdingScript, procedures: ["all", "good"])
        try project.useAPNs(of: sandbox, and: "limits:\n  wallClock: 86400\n  cpuTime: 86400")
        let store = try project.subscribe(Self.users, platform: .apple) { "u\($0)" }
        func remaining() throws -> Int { try store.deviceSubscriptions(matching: SubscriptionFilter()).count }
        func owed() throws -> Int { try store.pendingCallbacks(limit: 10_000).callbacks.count }
        func isDone() throws -> Bool { try remaining() == Self.users - Self.gone.count && owed() == 0 }
        var (log, moments) = ("", [Int]())
        for number in 0..<Self.kills {
            // Without a server the messages wait in the store: a callback that is held would hold up the call as well.
            let (first, end) = (number * Self.users / Self.kills, (number + 1) * Self.users / Self.kills)
            try await call("all", [first, end], project)
            try project.write("heldFrom=\((first + end) / 2)\n", to: "server/conf/worklight.properties")
            let server = try await ServerProcess([project.path])
            // A lost device is removed a minute later, after Apple has accepted messages for others. A held callback holds up a
            // call, until the kill.
            let good = Task { try await sendGood(project) { Task.isCancelled } }
            _ = await server.log(with: "held: <")
            good.cancel()
            #expect(await server.end(with: SIGKILL) == 128 + SIGKILL)
            try await good.value
            log += await server.wholeLog()
            moments.append(try owed())
        }
        #expect(moments.allSatisfy { $0 > 0 }, "each kill comes between a removal and its callbacks: \(moments)")

        try project.write("heldFrom=\(Self.users)\n", to: "server/conf/worklight.properties")
        let last = try await ServerProcess([project.path])
        try await sendGood(project, until: isDone)
        #expect(await last.end(with: SIGTERM) == 0)
        log += await last.wholeLog()
        #expect(try remaining() == Self.users - Self.gone.count)
        for kind in ["device gone: <d", "user gone: <u"] {
            let told = Set(log.components(separatedBy: kind).dropFirst().compactMap { Int($0.prefix { $0 != ">" }) })
            #expect(Self.gone.subtracting(told).sorted() == [], "owed at the kills: \(moments)")
            #expect(told.subtracting(Self.gone).sorted() == [])
        }
        await sandbox.stop()
    }

    /// Lets Apple accept messages for good devices, until a condition is met.
    private func sendGood(_ project: TemporaryFolder, until isDone: () throws -> Bool) async throws {
        while try !isDone() { try await run("good", [Self.few], project) }
    }

    @discardableResult
    private func run(
        _ procedure: String, _ numbers: [Int], _ project: TemporaryFolder
    ) async throws -> Command.Outcome {
        try await Command.run(["call", "A/\(procedure)", "\(numbers)", "--project", project.path])
    }

    private func call(_ procedure: String, _ numbers: [Int], _ project: TemporaryFolder) async throws {
        let call = try await run(procedure, numbers, project)
        #expect(call.status == 0, "\(call.errors)")
    }

    // MARK: One subscription

    /// The callbacks do not come to their end before `finish` is set.
    private static let waitingScript = """
        function wait(what) {
            WL.Logger.warn(what + ' began');
            while (WL.Server.configuration['finish'] !== 'yes') {}
            WL.Logger.warn(what + ' ran');
        }
        WL.Server.createEventSource({
            name: 'S',
            onDeviceSubscribe: function (user, device) { wait('onDeviceSubscribe of ' + device.device); },
            onDeviceUnsubscribe: function (user, device) { wait('onDeviceUnsubscribe of ' + device.device); }
        });
        function run() {}
        """

    private func makeWaitingProject() throws -> TemporaryFolder {
        let project = try makeProject(Self.waitingScript)
        try project.write("finish=no\n", to: "server/conf/worklight.properties")
        try project.write("limits:\n  cpuTime: 86400\n", to: "lamplighter.yaml")
        let data = project.url.appending(path: ".lamplighter")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        return project
    }

    private func change(_ verb: String, _ project: TemporaryFolder) -> [String] {
        let token = verb == "subscribe" ? ["--platform", "Android", "--token", "token-1234567890"] : []
        return [verb, "A.S", "--user", "ann", "--device", "d", "--application", "App", "--project", project.path]
            + token
    }

    private func expectRunAfterRestart(_ callback: String, _ project: TemporaryFolder) async throws {
        try project.write("finish=yes\n", to: "server/conf/worklight.properties")
        let server = try await ServerProcess([project.path])
        #expect(await server.log(with: "\(callback) of d ran").contains("\(callback) of d ran"))
        #expect(await server.end(with: SIGTERM) == 0)
        let store = try SQLStore(folder: project.url.appending(path: ".lamplighter").path)
        #expect(try store.pendingCallbacks(limit: 1).callbacks.isEmpty)
    }

    @Test(
        "A server killed during a callback runs it after the restart",
        arguments: [("subscribe", "onDeviceSubscribe"), ("unsubscribe", "onDeviceUnsubscribe")])
    func serverKilled(verb: String, callback: String) async throws {
        let project = try makeWaitingProject()
        if verb == "unsubscribe" { try subscribe(project) }
        let server = try await ServerProcess([project.path])
        let command = try RunningCommand(change(verb, project))
        _ = await server.log(with: "\(callback) of d began")
        #expect(await server.end(with: SIGKILL) == 128 + SIGKILL)
        _ = await command.end(with: SIGKILL)
        try await expectRunAfterRestart(callback, project)
    }

    @Test(
        "A command killed during a callback leaves it to the next server",
        arguments: [("subscribe", "onDeviceSubscribe"), ("unsubscribe", "onDeviceUnsubscribe")])
    func commandKilled(verb: String, callback: String) async throws {
        let project = try makeWaitingProject()
        if verb == "unsubscribe" { try subscribe(project) }
        let command = try RunningCommand(change(verb, project))
        _ = await command.errors(with: "\(callback) of d began")
        #expect(await command.end(with: SIGKILL) == 128 + SIGKILL)
        try await expectRunAfterRestart(callback, project)
    }

    private func subscribe(_ project: TemporaryFolder) throws {
        _ = try SQLStore(folder: project.url.appending(path: ".lamplighter").path).subscribe(
            DeviceSubscription(
                eventSource: Self.source, userID: "ann", deviceID: "d", applicationID: "App", alias: "a",
                platform: .android, token: DeviceToken(stored: "token-1234567890"), options: [:]))
    }
}
