import Foundation
import Logging
import PushModel
import PushSandbox
import Storage
import TestSupport
import Testing

@Suite("kill -9 while callbacks of ended subscriptions run", .serialized, .timeLimit(.minutes(20)))
struct KilledCallbackTests {
    private static let source = EventSourceID(adapter: "A", name: "S")

    // MARK: Devices that are gone

    private static let users = 800
    /// One device in four is gone.
    private static let gone = Set(stride(from: 0, to: users, by: 4))

    /// Each callback takes some time, so that many are waiting whenever the server is killed.
    private static let slowScript = """
        WL.Server.createEventSource({
            name: 'S',
            onDeviceUnsubscribe: function (user, device) {
                var end = Date.now() + 10;
                while (Date.now() < end) {}
                WL.Logger.warn('device gone: <' + device.device + '>');
            },
            onUserUnsubscribe: function (user) { WL.Logger.warn('user gone: <' + user.userId + '>'); }
        });
        function each(count) {
            for (var i = 0; i < count; i++) {
                WL.Server.notifyAllDevices(
                    WL.Server.getUserNotificationSubscription('S', 'u' + i), { APNS: { alert: 'hi' } });
            }
        }
        """

    private static func token(_ number: Int) -> String { String(format: "%064x", number + 1) }

    private func subscribeAll(_ project: TemporaryFolder) throws -> SQLiteStore {
        let data = project.url.appending(path: ".lamplighter")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        // Hundreds of transactions need not all wait for the disk here.
        let store = try SQLiteStore(
            folder: data.path, busyTimeout: .seconds(10), pragmas: ["PRAGMA synchronous = OFF"])
        for number in 0..<Self.users {
            _ = try store.subscribe(
                DeviceSubscription(
                    eventSource: Self.source, userID: "u\(number)", deviceID: "d\(number)",
                    applicationID: "com.example.app", alias: "a", platform: .apple,
                    token: DeviceToken(stored: Self.token(number)), options: [:]))
        }
        return store
    }

    private func settings(_ sandbox: PushSandbox) -> String {
        """
        push:
          trustedCertificates: root.pem
          apns:
            key: key.p8
            keyID: \(sandbox.credentials.apnsKeyID)
            teamID: \(sandbox.credentials.apnsTeamID)
            endpoint: https://localhost:\(sandbox.apnsPort)
        """
    }

    @Test("Killed ten times while devices that are gone are removed: each runs its callbacks at least once")
    func removedDevices() async throws {
        let dead = Set(Self.gone.map(Self.token))
        var sandboxSettings = PushSandbox.Settings()
        sandboxSettings.fault = { request in
            guard dead.contains(request.token ?? "") else { return nil }
            return .status(410, reason: "Unregistered", timestamp: Date().addingTimeInterval(60), retryAfter: nil)
        }
        let sandbox = try await PushSandbox.start(
            sandboxSettings, logger: Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() })
        let project = try makeProject(Self.slowScript, procedures: ["each"])
        try project.write(sandbox.rootCertificate, to: "root.pem")
        try project.write(sandbox.credentials.apnsPrivateKey, to: "key.p8")
        try project.write(settings(sandbox), to: "lamplighter.yaml")
        let store = try subscribeAll(project)
        let moments = (0..<10).map { _ in Int.random(in: 1..<Self.users) }.sorted()
        var log = ""
        for (number, moment) in moments.enumerated() {
            let server = try await ServerProcess([project.path])
            if number == 0 {
                let call = try await Command.run(["call", "A/each", "[\(Self.users)]", "--project", project.path])
                #expect(call.status == 0, "\(call.errors)")
            }
            _ = await sandbox.waitForArrivals(moment, of: .apns, within: .seconds(600))
            #expect(await server.end(with: SIGKILL) == 128 + SIGKILL)
            log += await server.wholeLog()
        }

        let last = try await ServerProcess([project.path])
        while try store.depth().waiting > 0 || !store.owedCallbacks(limit: 1).callbacks.isEmpty {
            // The server needs the processor more than who asks it.
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(await last.end(with: SIGTERM) == 0)
        log += await last.wholeLog()
        let left = try store.deviceSubscriptions(matching: SubscriptionFilter())
        #expect(left.count == Self.users - Self.gone.count)
        let missing = Self.gone.filter {
            !log.contains("device gone: <d\($0)>") || !log.contains("user gone: <u\($0)>")
        }
        #expect(missing.isEmpty, "killed after \(moments)")
        await sandbox.stop()
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
        let store = try SQLiteStore(folder: project.url.appending(path: ".lamplighter").path)
        #expect(try store.owedCallbacks(limit: 1).callbacks.isEmpty)
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
        _ = try SQLiteStore(folder: project.url.appending(path: ".lamplighter").path).subscribe(
            DeviceSubscription(
                eventSource: Self.source, userID: "ann", deviceID: "d", applicationID: "App", alias: "a",
                platform: .android, token: DeviceToken(stored: "token-1234567890"), options: [:]))
    }
}
