import Core
import Foundation
import Logging
import PushModel
import PushSandbox
import Storage
import TestSupport
import Testing

@Suite("Several servers on one PostgreSQL", .long, .defaultTimeLimit)
struct SeveralServersTests {
    private static let script = """
        WL.Server.createEventSource({ name: 'S' });
        function run(user) {
            WL.Server.notifyAllDevices(WL.Server.getUserNotificationSubscription('S', user), { APNS: { alert: 'hi' } });
        }
        """
    private static let devices = 30

    @Test("deliver what a killed one was sending, within the heartbeat's silence and with a line in the log")
    func killed() async throws {
        let database = try PostgreSQLServer.start()
        let address = PostgreSQLServer.address(of: "postgres", port: database.port)
        let isOpen = AwaitableValue(false)
        var settings = PushSandbox.Settings()
        // The first server's attempts get no response.
        settings.fault = { _ in isOpen.value ? nil : .never }
        let sandbox = try await PushSandbox.start(
            settings, logger: Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() })
        let projects = try (0..<3).map { _ in
            let project = try makeProject(Self.script)
            try project.useAPNs(of: sandbox, and: "store: \(address)")
            return project
        }
        let first = try await ServerProcess([projects[0].path])
        let store = try SQLStore(try #require(PostgreSQLAddress(address)))
        for number in 0..<Self.devices {
            _ = try store.subscribe(
                DeviceSubscription(
                    eventSource: EventSourceID(adapter: "A", name: "S"), userID: "ann", deviceID: "d\(number)",
                    applicationID: "com.example.app", alias: "a", platform: .apple,
                    token: DeviceToken(stored: TemporaryFolder.token(number)), options: [:]))
        }
        let call = try await Command.run(["call", "A/run", #"["ann"]"#, "--project", projects[0].path])
        #expect(call.status == 0, "\(call.errors)")
        _ = await sandbox.waitForArrivals(Self.devices, of: .apns)

        let others = [try await ServerProcess([projects[1].path]), try await ServerProcess([projects[2].path])]
        #expect(await first.end(with: SIGKILL) == 128 + SIGKILL)
        isOpen.update { $0 = true }
        try await waitUntil { try store.outbox.counts()[.delivered, default: 0] == Self.devices }
        #expect(sandbox.arrivalCount(of: .apns) == 2 * Self.devices)
        #expect(Set(sandbox.arrivals(of: .apns).compactMap { $0.header("apns-id") }).count == Self.devices)
        for other in others { #expect(await other.end(with: SIGTERM) == 0) }
        var lines: [Substring] = []
        for other in others {
            lines += await other.wholeLog().split(separator: "\n").filter { $0.contains("has been silent for 30 s") }
        }
        #expect(lines.count == 1 && lines.first?.contains("\(Self.devices) deliveries that it held") == true)
        await sandbox.stop()
    }
}
