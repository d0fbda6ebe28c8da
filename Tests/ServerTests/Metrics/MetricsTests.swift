import AdapterRuntime
import Core
import Foundation
import HTTPTransfer
import JavaScriptEngine
import Logging
import NIOHTTP1
import PrometheusExporter
import PushModel
import TestSupport
import Testing

@testable import Installation

@Suite("/metrics", .defaultTimeLimit)
struct MetricsTests {
    private static let script = """
        function run(how) {
            if (how == 'throw') throw new Error('no');
            if (how == 'loop') while (true) {}
            return { isSuccessful: how != 'unsuccessful' };
        }
        """

    @Test("needs a token of any role, and returns Prometheus's Content-Type")
    func token() async throws {
        try await RunningServer.run(script: Self.script) { (server) async throws in
            #expect(try await server.send(.GET, "/metrics").status == 401)
            #expect(try await server.send(.GET, "/metrics", key: "lamplighter_wrong").status == 401)
            let made = try await server.manage(.POST, "tokens", body: #"{"name":"prometheus","role":"monitor"}"#)
            let token = try #require(try JSONValue(parsing: made.body)["token"]?.string)
            let answer = try await server.send(.GET, "/metrics", key: token)
            #expect(answer.status == 200)
            #expect(answer.headers["Content-Type"] == ["text/plain; version=0.0.4; charset=utf-8"])
        }
    }

    @Test("with metrics.open serves everybody on the console's port, and nobody else on the other")
    func open() async throws {
        try await RunningServer.run(
            files: ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": Self.script],
            change: { ($0.consolePort, $0.areMetricsOpen) = (0, true) }
        ) { (server) async throws in
            let console = try #require(server.consoleURL)
            let open = TransferRequest("GET", url: console + "/metrics", timeout: .noLimit)
            #expect(try await RunningServer.http.send(open).status == 200)
            #expect(try await server.send(.GET, "/metrics").status == 401)
            #expect(try await server.send(.GET, "/metrics", key: server.note.managementKey).status == 200)
        }
    }

    @Test("counts calls by outcome, and takes no name from a client")
    func calls() async throws {
        try await RunningServer.run(
            script: Self.script, change: { $0.runtime.calls.cpuTime = .milliseconds(500) }
        ) { (server) async throws in
            let runtime = server.installation.runtime
            for how in ["ok", "ok", "unsuccessful", "throw", "loop"] {
                _ = await runtime.invoke(adapter: "A", procedure: "run", parameters: #"["\#(how)"]"#)
            }
            for (adapter, procedure) in [("A", "madeUp"), ("madeUp", "run")] {
                _ = await runtime.invoke(adapter: adapter, procedure: procedure, parameters: "[]")
            }
            _ = try await server.develop(.GET, "/invoke?adapter=A&procedure=run&parameters=%5B%5D")
            let scrape = try await Scrape(server)
            for (outcome, count) in [("ok", 3.0), ("unsuccessful", 1), ("error", 1), ("limit", 1), ("refused", 0)] {
                let labels = #"adapter="A",outcome="\#(outcome)",procedure="run""#
                #expect(scrape["lamplighter_procedure_calls_total{\(labels)}"] == count, "\(outcome)")
            }
            #expect(scrape[#"lamplighter_procedure_seconds_count{adapter="A",procedure="run"}"#] == 6)
            #expect(scrape[#"lamplighter_call_limits_total{limit="cpuTime"}"#] == 1)
            #expect(scrape[#"lamplighter_client_requests_total{route="invoke",status="2xx"}"#] == 1)
            #expect(!scrape.text.contains("madeUp"))
        }
    }

    @Test("counts requests to a back end that is away as failed")
    func backEnds() async throws {
        let connectivity = """
            <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType">
            <domain>127.0.0.1</domain><port>1</port>
            </connectionPolicy></connectivity>
            """
        let script = "function run() { return WL.Server.invokeHttp({ method: 'get', path: '/' }); }"
        try await RunningServer.run(files: [
            "adapters/A/A.xml": adapterXML("A", connectivity: connectivity), "adapters/A/A-impl.js": script,
        ]) { (server) async throws in
            _ = await server.installation.runtime.invoke(adapter: "A", procedure: "run", parameters: "[]")
            let scrape = try await Scrape(server)
            let labels = #"adapter="A",kind="http""#
            #expect(scrape["lamplighter_back_end_requests_total{\(labels),outcome=\"failed\"}"] == 1)
            #expect(scrape["lamplighter_back_end_requests_total{\(labels),outcome=\"ok\"}"] == 0)
            #expect(scrape["lamplighter_back_end_seconds_count{\(labels)}"] == 1)
        }
    }

    @Test("counts deliveries; an application that the project does not have is 'other'")
    func deliveries() async throws {
        try await SandboxedServer.run(devices: 2) { (world) async throws in
            try await world.notify()
            #expect(try await world.settled(2) == [.delivered: 2])
            let scrape = try await Scrape(world.server)
            let labels = #"application="other",channel="apple",outcome="delivered""#
            #expect(scrape["lamplighter_deliveries_total{\(labels)}"] == 2)
            #expect(scrape[#"lamplighter_delivery_attempt_seconds_count{channel="apple"}"#] == 2)
            #expect(scrape[#"lamplighter_deliveries{state="delivered"}"#] == 2)
            #expect(!scrape.text.contains("lamplighter_oldest_delivery_age_seconds{"))
            for secret in [SandboxedServer.application, "\"ann\"", SandboxedServer.token(0)] {
                #expect(!scrape.text.contains(secret))
            }
        }
    }

    @Test("has the age of the oldest delivery that has not ended, and the states of server and process")
    func states() async throws {
        let folder = try TemporaryFolder()
        try folder.write(adapterXML("A"), to: "adapters/A/A.xml")
        try folder.write(Self.script, to: "adapters/A/A-impl.js")
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let installation = try await Installation(opening: InstallationSettings(project: folder.url), logger: logger)
        let registration = DeviceRegistration(
            applicationID: "App", deviceID: "phone", userID: "ann", platform: .android,
            token: try DeviceToken("t", platform: .android))
        let created = Date.now - 100
        try installation.store.outbox.enqueue([
            Delivery(
                notificationID: UUID(), content: NotificationContent(["GCM": ["alert": "Hi"]]),
                target: .registration(registration, by: .device), createdAt: created, expiresAt: created + 3600)
        ])
        await installation.readStates()
        let scrape = Scrape(text: installation.telemetry.metrics.registry.text())
        let oldest = #"lamplighter_oldest_delivery_age_seconds{application="other",channel="android"}"#
        #expect((scrape[oldest] ?? 0) >= 100)
        #expect(scrape[#"lamplighter_deliveries{state="queued"}"#] == 1)
        let labels =
            #"mode="development",server="\#(installation.server.name)",version="\#(LamplighterVersion.current)""#
        #expect(scrape["lamplighter_info{\(labels)}"] == 1)
        for name in ["lamplighter_sessions", "lamplighter_scopes", "lamplighter_poll_lateness_seconds"] {
            #expect(scrape[name] == 0)
        }
        for name in [
            "lamplighter_disk_free_bytes", "process_cpu_seconds_total", "process_resident_memory_bytes",
            "process_open_fds", "process_max_fds",
        ] {
            #expect((scrape[name] ?? 0) > 0, "\(name)")
        }
        let age = Date.now.timeIntervalSince1970 - (scrape["process_start_time_seconds"] ?? 0)
        #expect((0..<86_400).contains(age))
        await installation.close()
    }

    @Test("has the seconds until the server's certificate expires")
    func certificate() async throws {
        try await RunningServer.run(
            files: ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": Self.script], over: .http2
        ) { (server) async throws in
            let scrape = try await Scrape(server)
            #expect((scrape["lamplighter_tls_certificate_expiry_seconds"] ?? 0) > 0)
        }
    }

    @Test("drops the gauge of a removed credential")
    func goneCredential() {
        let metrics = ServerMetrics()
        metrics.states.set(.credentialExpiry, [["APNs", "Shop"]: 60, ["APNs", ""]: 90])
        metrics.states.set(.credentialExpiry, [["APNs", ""]: 30])
        let scrape = Scrape(text: metrics.registry.text())
        #expect(scrape[#"lamplighter_credential_expiry_seconds{application="",service="APNs"}"#] == 30)
        #expect(!scrape.text.contains("Shop"))
    }

    @Test("counts a guard that acts, also between two lines of its log")
    func guards() {
        let metrics = ServerMetrics()
        let log = LogLimiter(logger: LogRecorder().logger, time: ManualTime(), guards: metrics.guards)
        for _ in 0..<3 { log.reached("limits.sessions", by: nil, "ended a session") }
        let scrape = Scrape(text: metrics.registry.text())
        #expect(scrape[#"lamplighter_guard_actions_total{guard="limits.sessions"}"#] == 3)
        #expect(scrape[#"lamplighter_guard_actions_total{guard="circuit breaker"}"#] == 0)
    }
}

/// The response to a scrape.
struct Scrape {
    let text: String

    init(text: String) { self.text = text }

    init(_ server: RunningServer) async throws {
        text = try await server.send(.GET, "/metrics", key: server.note.managementKey).body
    }

    /// The value of each sample as a string, by its name with its labels.
    var samples: [String: String] {
        var samples: [String: String] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let blank = line.lastIndex(of: " ") else { continue }
            samples[String(line[..<blank])] = String(line[line.index(after: blank)...])
        }
        return samples
    }

    /// The value of a sample, by its name with its labels.
    subscript(sample: String) -> Double? { samples[sample].flatMap { Double($0) } }
}
