import Core
import Foundation
import NIOHTTP1
import PushModel
import Storage
import TestSupport
import Testing

@testable import Installation

@Suite("A server whose store is a PostgreSQL")
struct PostgreSQLStoreTests {
    private static let script = """
        WL.Server.createEventSource({ name: 'S' });
        function run(text) {
            WL.Server.notifyAllDevices(WL.Server.getUserNotificationSubscription('A.S', 'ann'), { GCM: { alert: text } });
            return { sent: text };
        }
        function compute() { return { sum: 3 }; }
        """

    @Test(
        "Database calls fail and deliveries wait during an outage, and both resume after it")
    func away() async throws {
        let database = try PostgreSQLServer.start()
        let relay = try Relay(to: database.port)
        let log = LogRecorder()
        let direct = try #require(
            PostgreSQLAddress(PostgreSQLServer.address(of: "postgres", port: database.port)))
        let phone = DeviceSubscription(
            eventSource: EventSourceID(adapter: "A", name: "S"), userID: "ann", deviceID: "phone",
            applicationID: "App", alias: "a", platform: .android, token: DeviceToken(stored: "t"), options: [:])
        try await RunningServer.run(
            files: [
                "adapters/A/A.xml": adapterXML("A", procedures: ["run", "compute"]),
                "adapters/A/A-impl.js": Self.script,
            ],
            log: log,
            change: {
                $0.store = PostgreSQLAddress(PostgreSQLServer.address(of: "postgres", port: relay.port))
            }
        ) { (server) async throws in
            let call = { (what: String) in try await server.develop(.GET, "/invoke?adapter=A&procedure=\(what)").body }
            let other = try SQLStore(direct)
            _ = try other.subscribe(phone)
            #expect(try await call("run&parameters=%5B'one'%5D") == #"{"isSuccessful":true,"sent":"one"}"#)
            try await waitForDelivered(1, other)

            relay.set(.breaks)
            while try await server.send(.GET, "/health/ready").status != 503 {}
            let finding = try await server.finding(of: "store")
            #expect(finding["text"]?.string?.hasPrefix("the store cannot be written: ") == true)
            let failed = try await call("run&parameters=%5B'two'%5D")
            #expect(
                failed.contains(#""isSuccessful":false"#) && failed.contains("check the setting store"), "\(failed)")
            #expect(try await call("compute") == #"{"isSuccessful":true,"sum":3}"#)
            try other.outbox.enqueue([
                Delivery(
                    notificationID: UUID(), options: ["GCM": ["alert": "three"]], subscription: phone,
                    createdAt: Date(),
                    expiresAt: Date(timeIntervalSinceNow: 3600))
            ])

            relay.set(.none)
            while try await server.send(.GET, "/health/ready").status != 200 {}
            try await waitForDelivered(2, other)
            #expect(try await call("run&parameters=%5B'four'%5D") == #"{"isSuccessful":true,"sent":"four"}"#)
            try await waitForDelivered(3, other)
        }
    }

    /// Returns once so many have been delivered, each once.
    private func waitForDelivered(_ count: Int, _ store: SQLStore) async throws {
        try await waitUntil { try store.outbox.counts() == [.previewed: count] }
    }
}
