import Core
import Foundation
import Logging
import NIOHTTP1
import Push
import PushModel
import PushSandbox
import Storage
import TestSupport
import Testing

@testable import Installation

/// A server whose notifications go to a push-sandbox, and a user `ann` with many iPhones.
struct SandboxedServer: Sendable {
    let server: RunningServer
    let sandbox: PushSandbox
    let store: SQLStore
    let log: LogRecorder

    static let source = EventSourceID(adapter: "A", name: "S")
    static let application = "com.example.app"

    private static let script = """
        WL.Server.createEventSource({
            name: 'S',
            onDeviceUnsubscribe: function (user, device) { WL.Logger.warn('device gone: ' + device.device); },
            onUserUnsubscribe: function (user) { WL.Logger.warn('user gone: ' + user.userId); }
        });
        function notify(user, text) {
            return { milliseconds: WL.Server.notifyAllDevices(WL.Server.getUserNotificationSubscription('A.S', user),
                { APNS: { alert: text, payload: { from: 'test' } } }) };
        }
        """

    static func token(_ number: Int) -> String { String(format: "%064x", number + 1) }

    /// - Parameters:
    ///   - devices: how many `ann` has.
    ///   - change: changes the sandbox's settings.
    ///   - changeSettings: changes the server's.
    static func run(
        devices: Int, time: any TimeSource = SystemTime(), change: (inout PushSandbox.Settings) -> Void = { _ in },
        settings changeSettings: (inout InstallationSettings) -> Void = { _ in },
        _ body: @Sendable (SandboxedServer) async throws -> Void
    ) async throws {
        var settings = PushSandbox.Settings()
        settings.now = { time.now }
        change(&settings)
        let log = LogRecorder()
        let quiet = Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() }
        let sandbox = try await PushSandbox.start(settings, logger: quiet)
        do {
            let folder = try TemporaryFolder()
            try folder.write(sandbox.rootCertificate, to: "root.pem")
            let data = folder.url.appending(path: ".lamplighter")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            // Thousands of transactions need not all wait for the disk here.
            let store = try SQLStore(
                folder: data.path, busyTimeout: .noLimit, pragmas: ["PRAGMA synchronous = OFF"])
            for number in 0..<devices { try subscribe(store, device: number) }
            try await RunningServer.run(
                files: ["adapters/A/A.xml": adapterXML("A", procedures: ["notify"]), "adapters/A/A-impl.js": script],
                in: folder, time: time, log: log,
                change: { settings in
                    settings.push.credentials.apns.key = sandbox.credentials.apnsPrivateKey
                    settings.push.credentials.apns.keyID = sandbox.credentials.apnsKeyID
                    settings.push.credentials.apns.teamID = sandbox.credentials.apnsTeamID
                    settings.push.credentials.apns.endpoint = ServiceEndpoint("https://localhost:\(sandbox.apnsPort)")
                    settings.push.trustedCertificates = "root.pem"
                    changeSettings(&settings)
                }
            ) { (server) async throws in
                try await body(SandboxedServer(server: server, sandbox: sandbox, store: store, log: log))
            }
        } catch {
            await sandbox.stop()
            throw error
        }
        await sandbox.stop()
    }

    static func subscribe(_ store: SQLStore, user: String = "ann", device number: Int) throws {
        _ = try store.subscribe(
            DeviceSubscription(
                eventSource: source, userID: user, deviceID: "d\(number)", applicationID: application, alias: "news",
                platform: .apple, token: DeviceToken(stored: token(number)), options: [:]))
    }

    /// Notifies `ann` and lets the second attempt come for her devices that the service loses: a minute later, after the service
    /// has taken as many messages for `zoe`.
    ///
    /// - Parameters:
    ///   - lost: how many of her devices the service loses.
    ///   - delivered: how many it knows.
    func notifyTwice(lost: Int = 1, delivered: Int = 0, _ time: ManualTime) async throws {
        try await notify()
        try await log.lines.wait { $0.count { $0.message.hasPrefix("to be tried again") } >= lost }
        try await waitForDelivered(delivered)
        for number in 2000..<2000 + lost { try Self.subscribe(store, user: "zoe", device: number) }
        try await notify("zoe")
        try await waitForDelivered(delivered + lost)
        time.advance(by: .seconds(60))
    }

    private func waitForDelivered(_ count: Int) async throws {
        try await log.lines.wait { $0.count { $0.message == "delivered" } >= count }
    }

    /// Calls `notify` as a back end does.
    @discardableResult
    func notify(_ user: String = "ann", _ text: String = "hi") async throws -> String {
        let parameters = JSONValue.array([.string(user), .string(text)]).text
        let answer = try await server.develop(
            .POST, "/invoke?adapter=A&procedure=notify", body: FormFields.encode([("parameters", parameters)]),
            type: "application/x-www-form-urlencoded")
        #expect(answer.status == 200)
        return answer.body
    }

    /// Waits until so many deliveries have come to their end.
    ///
    /// - Returns: how many ended in each state.
    func settled(_ count: Int) async throws -> [DeliveryState: Int] {
        try await log.lines.wait { lines in
            lines.count { $0.message == "delivered" || $0.message.hasPrefix("refused: ") } >= count
        }
        // The deliveries that the worker has still to record.
        while true {
            try Task.checkCancellation()
            let counts = try store.outbox.counts().filter { $0.value > 0 }
            if Set(counts.keys).isDisjoint(with: DeliveryState.waiting) { return counts }
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// The ids under which each token's messages arrived, those of repeats once.
    func idsByToken() -> [String: Set<String>] {
        var ids: [String: Set<String>] = [:]
        for arrival in sandbox.arrivals(of: .apns) {
            guard let token = arrival.token, let id = arrival.header("apns-id") else { continue }
            ids[token, default: []].insert(id)
        }
        return ids
    }

    /// The tokens for which the sandbox took a message.
    func acceptedTokens() -> [String] {
        sandbox.arrivals(of: .apns).filter(\.isAccepted).compactMap(\.token)
    }
}

extension DeliveryState {
    /// Those in which a delivery is not at its end.
    static let waiting = allCases.filter { ![.delivered, .refused, .expired].contains($0) }
}

extension LogRecorder {
    var messages: [String] { lines.value.map(\.message) }
}
