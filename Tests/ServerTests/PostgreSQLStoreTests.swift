import Core
import Foundation
import NIOHTTP1
import PushModel
import Storage
import TestSupport
import Testing

@testable import Installation

@Suite("A server whose store is a PostgreSQL", .defaultTimeLimit)
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

    @Test("An app gets 503 with Retry-After during an outage")
    func appDuringOutage() async throws {
        let relay = try Relay(to: try PostgreSQLServer.start().port)
        try await RunningServer.run(
            files: [
                "apps/App/application-descriptor.xml":
                    #"<application xmlns="http://www.worklight.com/application-descriptor" id="App"><android version="1.0"/></application>"#
            ],
            change: { $0.store = PostgreSQLAddress(PostgreSQLServer.address(of: "postgres", port: relay.port)) }
        ) { (server) async throws in
            let client = WireClient(server, device: "phone")
            #expect(try await client.act("init").status == 200)
            relay.set(.breaks)
            var answer = try await client.act("init")
            while answer.status == 200 { answer = try await client.act("init") }
            #expect(answer.status == 503 && answer.headers["Retry-After"] == ["5"], "\(answer)")
            relay.set(.none)
            while try await client.act("init").status != 200 {}
        }
    }

    @Test("During an outage, tokens that were used shortly before still read findings and metrics, and change nothing")
    func tokensDuringOutage() async throws {
        let time = ManualTime()
        let relay = try Relay(to: try PostgreSQLServer.start().port)
        try await RunningServer.run(
            files: ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": "function run() {}"], time: time,
            change: { $0.store = PostgreSQLAddress(PostgreSQLServer.address(of: "postgres", port: relay.port)) }
        ) { (server) async throws in
            func token(_ name: String, _ role: String) async throws -> String {
                let answer = try await server.manage(
                    .POST, "tokens", body: #"{"name":"\#(name)","role":"\#(role)"}"#)
                return try #require(try JSONValue(parsing: answer.body)["token"]?.string)
            }
            let (monitor, admin, unused) = (
                try await token("monitor", "monitor"), try await token("admin", "admin"),
                try await token("unused", "admin")
            )
            for key in [monitor, admin] { #expect(try await server.send(.GET, "/metrics", key: key).status == 200) }
            relay.set(.breaks)
            try await waitForStoreFinding(true, of: server, time)

            for key in [monitor, admin] {
                let metrics = try await server.send(.GET, "/metrics", key: key)
                #expect(metrics.status == 200 && metrics.body.contains(#"check="store",severity="error""#))
                let overview = try await server.send(.GET, "/management/v1/overview", key: key)
                #expect(overview.status == 200 && overview.body.contains("the store cannot be written"))
                #expect(try await server.send(.GET, "/health", key: key).body.contains("the store cannot be written"))
                #expect(try await server.send(.GET, "/management/v1/tokens", key: key).status == 403)
                #expect(try await server.send(.POST, "/management/v1/credentials/reload", key: key).status == 403)
            }
            #expect(try await server.send(.GET, "/metrics", key: unused).status == 503)
            time.advance(by: .seconds(601))
            #expect(try await server.send(.GET, "/metrics", key: monitor).status == 503)

            relay.set(.none)
            try await waitForStoreFinding(false, of: server, time)
            #expect(try await server.send(.GET, "/management/v1/tokens", key: admin).status == 200)
            #expect(try await server.manage(.DELETE, "tokens/monitor").status == 200)
            relay.set(.breaks)
            try await waitForStoreFinding(true, of: server, time)
            #expect(try await server.send(.GET, "/metrics", key: monitor).status == 503)
            relay.set(.none)
        }
    }

    /// Returns once the health check of the store finds a fault, or no longer does. The checks run again when the clock moves.
    private func waitForStoreFinding(_ isFailing: Bool, of server: RunningServer, _ time: ManualTime) async throws {
        try await waitUntil {
            time.advance(by: .seconds(2))
            return try await server.health().findings.contains { $0["subject"]?.string == "store" } == isFailing
        }
    }

    /// Returns once so many have been delivered, each once.
    private func waitForDelivered(_ count: Int, _ store: SQLStore) async throws {
        try await waitUntil { try store.outbox.counts() == [.previewed: count] }
    }
}
