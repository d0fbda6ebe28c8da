import Foundation
import NIOHTTP1
import Push
import PushSandbox
import Storage
import TestSupport
import Testing

@testable import Installation

/// Evaluates the alert rules on the samples that a server exports while something really fails.
@Suite("Alerts during real faults", .defaultTimeLimit)
struct AlertRunTests {
    /// The minutes of each run in which the alert must not fire.
    private static let healthy = 5
    private static let day = TimeInterval(86_400)
    private static let quiet = ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": "function run() {}"]

    @Test("LamplighterPushServiceDown fires when APNs returns 503")
    func pushServiceDown() async throws {
        let time = ManualTime()
        try await SandboxedServer.run(devices: 0, time: time) { (world) async throws in
            var run = AlertRun(world.server, time)
            try await run.scrape(minutes: Self.healthy) { try await Self.notify(world, minute: $0) }
            world.sandbox.faults = [try FaultRule("apns:503")]
            // The alert needs 15 minutes without a delivered notification, and then waits for 5 minutes.
            try await run.scrape(minutes: 25) { try await Self.notify(world, minute: $0) }
            try await run.expectFiring(
                "LamplighterPushServiceDown", labels: #"channel="apple", severity="critical""#, healthy: Self.healthy)
        }
    }

    /// Notifies a user with a separate device, and returns once an attempt at a delivery has ended.
    ///
    /// Each minute has another device: the second delivery to a device waits for the first.
    private static func notify(_ world: SandboxedServer, minute: Int) async throws {
        try SandboxedServer.subscribe(world.store, user: "user\(minute)", device: minute)
        let before = Self.attempts(in: world.log.lines.value)
        try await world.notify("user\(minute)")
        try await world.log.lines.wait { Self.attempts(in: $0) > before }
    }

    /// The number of attempts that have ended.
    private static func attempts(in lines: [LogRecorder.Line]) -> Int {
        lines.count { $0.message == "delivered" || $0.message.hasPrefix("to be tried again") }
    }

    @Test("LamplighterBackEndFailing fires when a back end takes requests and does not respond")
    func hangingBackEnd() async throws {
        let (time, isHanging) = (ManualTime(), AwaitableValue(false))
        let backEnd = try LoopbackServer { _ in isHanging.value ? .nothing : .ok("fine") }
        let files = [
            // The socket timeout runs by the real clock: half a second of each failing minute is spent in it.
            "adapters/A/A.xml": adapterXML("A", connectivity: httpConnectivity(port: backEnd.port, timeout: 500)),
            "adapters/A/A-impl.js": """
            function run() {
                return WL.Server.invokeHttp({ method: 'get', path: '/', returnedContentType: 'plain' });
            }
            """,
        ]
        try await RunningServer.run(files: files, time: time) { (server) async throws in
            let call: @Sendable (Int) async throws -> Void = { _ in
                _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run")
            }
            var run = AlertRun(server, time)
            try await run.scrape(minutes: Self.healthy, after: call)
            isHanging.update { $0 = true }
            // The alert needs 5 minutes in which most requests fail, and then waits for 5 minutes.
            try await run.scrape(minutes: 12, after: call)
            try await run.expectFiring(
                "LamplighterBackEndFailing", labels: #"adapter="A", kind="http", severity="critical""#,
                healthy: Self.healthy)
        }
        await backEnd.stop()
    }

    @Test("LamplighterDiskFull fires when the disk of the store is full", .enabled(if: SmallDisk.isAvailable))
    func fullDisk() async throws {
        let (disk, time) = (try SmallDisk(), ManualTime())
        try await RunningServer.run(
            files: Self.quiet, time: time, change: { $0.data = disk.url.appending(path: "data") }
        ) { (server) async throws in
            var run = AlertRun(server, time)
            try await run.scrape(minutes: Self.healthy)
            try disk.fill()
            // Each scrape writes to the store, to see whether it can. SQLite first uses the room that its log file has.
            let errors = #"lamplighter_store_errors_total{code="diskFull"}"#
            repeat { try await run.scrape(minutes: 1) } while run.latest?[errors] == 0
            try await run.scrape(minutes: 2)
            try await run.expectFiring("LamplighterDiskFull", labels: #"severity="critical""#, healthy: Self.healthy)
        }
    }

    @Test("LamplighterStoreFailing fires while PostgreSQL is away")
    func storeAway() async throws {
        let time = ManualTime()
        let relay = try Relay(to: try PostgreSQLServer.start().port)
        try await RunningServer.run(
            files: Self.quiet, time: time,
            change: { $0.store = PostgreSQLAddress(PostgreSQLServer.address(of: "postgres", port: relay.port)) }
        ) { (server) async throws in
            var run = AlertRun(server, time)
            try await run.scrape(minutes: Self.healthy)
            relay.set(.breaks)
            // The alert needs 5 minutes.
            try await run.scrape(minutes: 8)
            try await run.expectFiring(
                "LamplighterStoreFailing", labels: #"code="cannotOpen", severity="critical""#, healthy: Self.healthy)
            relay.set(.none)
        }
    }

    @Test("LamplighterCertificateExpires fires 14 days before the server's certificate expires")
    func expiringCertificate() async throws {
        let folder = try TemporaryFolder()
        try await OpenSSL.run(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem",
            "-out", "certificate.pem", "-days", "20", "-subj", "/CN=localhost", in: folder)
        // Ten minutes before 14 days of the 20 are left.
        let time = ManualTime(at: Date.now.addingTimeInterval(6 * Self.day - 600))
        try await RunningServer.run(
            files: Self.quiet, time: time,
            change: { $0.tls = .init(certificate: folder.path("certificate.pem"), key: folder.path("key.pem")) }
        ) { (server) async throws in
            var run = AlertRun(server, time)
            try await run.scrape(minutes: 15)
            try await run.expectFiring(
                "LamplighterCertificateExpires", labels: #"job="lamplighter", severity="warning""#,
                healthy: Self.healthy)
        }
        withExtendedLifetime(folder) {}
    }

    @Test("LamplighterCredentialExpires fires 30 days before the certificate for APNs expires")
    func expiringCredential() async throws {
        let folder = try TemporaryFolder()
        try await OpenSSL.run(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "certificate.pem", "-days",
            "40", "-subj", "/UID=com.example.app", in: folder)
        try await OpenSSL.run(
            "pkcs12", "-export", "-in", "certificate.pem", "-inkey", "key.pem", "-out", "apns.p12", "-passout",
            "pass:secret", in: folder)
        // Ten minutes before 30 days of the 40 are left.
        let time = ManualTime(at: Date.now.addingTimeInterval(10 * Self.day - 600))
        try await RunningServer.run(
            files: Self.quiet, time: time,
            change: { settings in
                settings.push.credentials.apns.certificate = folder.path("apns.p12")
                settings.push.credentials.apns.password = "secret"
            }
        ) { (server) async throws in
            var run = AlertRun(server, time)
            try await run.scrape(minutes: 15)
            try await run.expectFiring(
                "LamplighterCredentialExpires", labels: #"job="lamplighter", service="APNs", severity="warning""#,
                healthy: Self.healthy)
        }
        withExtendedLifetime(folder) {}
    }
}
