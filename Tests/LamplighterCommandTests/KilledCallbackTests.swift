import Foundation
import Logging
import PushModel
import PushSandbox
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("kill -9 while callbacks of ended subscriptions run", .serialized, .timeLimit(.minutes(20)))
struct KilledCallbackTests {
    private static let source = EventSourceID(adapter: "A", name: "S")

    // MARK: Devices that are gone

    /// 800 users and ten kills, or what `CALLBACK_USERS` and `CALLBACK_KILLS` say, for a longer run by hand.
    private static let users = number("CALLBACK_USERS") ?? 800
    private static let kills = number("CALLBACK_KILLS") ?? 10
    /// One device in eight is gone.
    private static let gone = Set(stride(from: 0, to: users, by: 8))

    private static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
    }

    /// Each callback takes some time, so that many are waiting whenever the server is killed.
    private static let slowScript = """
        WL.Server.createEventSource({
            name: 'S',
            onDeviceUnsubscribe: function (user, device) {
                var end = Date.now() + 30;
                while (Date.now() < end) {}
                WL.Logger.warn('device gone: <' + device.device + '>');
            },
            onUserUnsubscribe: function (user) { WL.Logger.warn('user gone: <' + user.userId + '>'); }
        });
        function each(count) { notify(0, count, 1); }
        function good(count) { notify(1, count, 8); }
        function notify(first, count, step) {
            for (var i = first; i < count; i += step) {
                WL.Server.notifyAllDevices(
                    WL.Server.getUserNotificationSubscription('S', 'u' + i), { APNS: { alert: 'hi' } });
            }
        }
        """

    /// Lets Apple say of a device that it is gone only right after it took a message for another one. Otherwise so many devices
    /// that are gone, which are what is left after a kill, would look like a wrong configuration.
    private final class Apple: Sendable {
        private struct Answers {
            var known = 0
            var isLastLost = false
        }

        private let dead = Set(KilledCallbackTests.gone.map(TemporaryFolder.token))
        private let answers = Mutex(Answers())

        func serverBegins() { answers.withLock { $0 = Answers() } }

        func fault(_ token: String?) -> SandboxFault? {
            let isDead = dead.contains(token ?? "")
            return answers.withLock { answers in
                guard isDead else {
                    answers.known += 1
                    answers.isLastLost = false
                    return nil
                }
                guard answers.known >= 10, !answers.isLastLost else {
                    return .status(429, reason: "TooManyRequests", timestamp: nil, retryAfter: 1)
                }
                answers.isLastLost = true
                return .status(
                    410, reason: "Unregistered", timestamp: Date().addingTimeInterval(60), retryAfter: nil)
            }
        }
    }

    @Test("Killed again and again while devices that are gone are removed: each runs its callbacks at least once")
    func removedDevices() async throws {
        let apple = Apple()
        var sandboxSettings = PushSandbox.Settings()
        sandboxSettings.fault = { apple.fault($0.token) }
        let sandbox = try await PushSandbox.start(
            sandboxSettings, logger: Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() })
        let project = try makeProject(Self.slowScript, procedures: ["each", "good"])
        try project.useAPNs(of: sandbox)
        let store = try project.subscribe(Self.users, platform: .apple) { "u\($0)" }
        let moments = (0..<Self.kills).map { _ in Int.random(in: 1..<Self.users) }.sorted()
        var (log, owed) = ("", 0)
        for (number, moment) in moments.enumerated() {
            apple.serverBegins()
            let server = try await ServerProcess([project.path])
            if number == 0 { try await call("each", Self.users, project) }
            _ = await sandbox.waitForArrivals(moment, of: .apns, within: .seconds(600))
            #expect(await server.end(with: SIGKILL) == 128 + SIGKILL)
            log += await server.wholeLog()
            owed += try store.owedCallbacks(limit: 10_000).callbacks.count
        }
        #expect(owed > 0, "no kill came between a removal and its callbacks: \(moments)")

        apple.serverBegins()
        let last = try await ServerProcess([project.path])
        func remaining() throws -> Int { try store.deviceSubscriptions(matching: SubscriptionFilter()).count }
        while try remaining() > Self.users - Self.gone.count || !store.owedCallbacks(limit: 1).callbacks.isEmpty {
            try await call("good", min(Self.users, 400), project)
        }
        #expect(await last.end(with: SIGTERM) == 0)
        log += await last.wholeLog()
        #expect(try remaining() == Self.users - Self.gone.count)
        for kind in ["device gone: <d", "user gone: <u"] {
            let told = Set(log.components(separatedBy: kind).dropFirst().compactMap { Int($0.prefix { $0 != ">" }) })
            #expect(Self.gone.subtracting(told).sorted() == [], "killed after \(moments)")
            #expect(told.subtracting(Self.gone).sorted() == [])
        }
        await sandbox.stop()
    }

    private func call(_ procedure: String, _ count: Int, _ project: TemporaryFolder) async throws {
        let call = try await Command.run(["call", "A/\(procedure)", "[\(count)]", "--project", project.path])
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
