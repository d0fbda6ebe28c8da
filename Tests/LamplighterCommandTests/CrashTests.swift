import Core
import Foundation
import Logging
import PushModel
import PushSandbox
import Storage
import TestSupport
import Testing

@Suite("kill -9", .serialized)
struct CrashTests {
    private static let deliveries = TestExtent.size(300, full: 10_000)
    /// The number of deliveries after which a server is killed, at the latest: the rest waits until the test lets it go on.
    private static let gate = deliveries / 2

    @Test(
        "all deliveries of a notification that go out during a kill are delivered after the restart",
        .defaultTimeLimit)
    func whileDelivering() async throws {
        let isOpen = AwaitableValue(false)
        var settings = PushSandbox.Settings()
        settings.fault = { $0.sequence <= Self.gate || isOpen.value ? nil : .never }
        let sandbox = try await PushSandbox.start(
            settings, logger: Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() })
        let project = try makeProject(
            """
            WL.Server.createEventSource({ name: 'S' });
            function run(user) {
                WL.Server.notifyAllDevices(
                    WL.Server.getUserNotificationSubscription('S', user), { APNS: { alert: 'hi' } });
            }
            """)
        try project.useAPNs(of: sandbox)
        let store = try project.subscribe(Self.deliveries, platform: .apple) { _ in "ann" }
        let server = try await ServerProcess([project.path])
        let call = try await Command.run(["call", "A/run", #"["ann"]"#, "--project", project.path])
        #expect(call.output == #"{"isSuccessful":true}"# + "\n")
        try await project.waitForStore { try store.outbox.counts()[.delivered, default: 0] > Self.deliveries / 20 }
        server.signal(SIGKILL)
        #expect(await server.end(with: SIGKILL) == 128 + SIGKILL)
        #expect(try store.outbox.counts()[.delivered, default: 0] < Self.deliveries)

        isOpen.update { $0 = true }
        let again = try await ServerProcess([project.path])
        try await project.waitUntilDelivered(by: store)
        #expect(try store.outbox.counts().filter { $0.value > 0 } == [.delivered: Self.deliveries])
        #expect(await again.end(with: SIGTERM) == 0)
        await sandbox.stop()
    }

    @Test("what a procedure committed before a kill is delivered after the restart", .defaultTimeLimit)
    func whileNotifying() async throws {
        // Takes connections and never responds.
        let backEnd = try Listener()
        let project = try TemporaryFolder([
            "adapters/A/A.xml": adapterXML("A", connectivity: httpConnectivity(port: backEnd.port)),
            "adapters/A/A-impl.js": """
            WL.Server.createEventSource({ name: 'S' });
            function run(count, gate) {
                for (var i = 0; i < count; i++) {
                    while (i >= gate) { WL.Server.invokeHttp({ method: 'get', path: '/' }); }
                    WL.Server.notifyAllDevices(
                        WL.Server.getUserNotificationSubscription('S', 'user' + i), { GCM: { alert: 'hi' } });
                }
            }
            """,
            "lamplighter.yaml": "limits:\n  wallClock: 86400\n  cpuTime: 86400\n",
        ])
        let store = try project.subscribe(Self.deliveries, platform: .android) { "user\($0)" }
        let server = try await ServerProcess([project.path])
        async let call = Command.run(
            ["call", "A/run", "[\(Self.deliveries), \(Self.gate)]", "--project", project.path])
        try await project.waitForStore { try store.outbox.counts().values.reduce(0, +) > Self.deliveries / 5 }
        server.signal(SIGKILL)
        #expect(await server.end(with: SIGKILL) == 128 + SIGKILL)
        #expect(try await call.status == 1)
        let committed = try store.outbox.counts().values.reduce(0, +)
        #expect(committed < Self.deliveries)

        let again = try await ServerProcess([project.path])
        try await project.waitUntilDelivered(by: store)
        #expect(try store.outbox.counts().filter { $0.value > 0 } == [.previewed: committed])
        #expect(await again.end(with: SIGTERM) == 0)
        withExtendedLifetime(backEnd) {}
    }

    @Test("A stray SIGUSR1 does not end the server")
    func straySignal() async throws {
        let project = try makeProject("function run() { return { ok: 1 } }")
        let server = try await ServerProcess([project.path])
        server.signal(SIGUSR1)
        #expect(
            try await Command.run(["call", "A/run", "--project", project.path]).output
                == #"{"isSuccessful":true,"ok":1}"# + "\n")
        #expect(await server.end(with: SIGTERM) == 0)
    }
}
