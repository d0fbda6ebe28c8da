import Foundation
import Logging
import PushModel
import PushSandbox
import Storage
import TestSupport
import Testing

@Suite("kill -9, again and again", .serialized)
struct KilledFanOutTests {
    private static let devices = 5000
    private static let script = """
        WL.Server.createEventSource({ name: 'S' });
        function all(user) {
            WL.Server.notifyAllDevices(WL.Server.getUserNotificationSubscription('S', user), { APNS: { alert: 'hi' } });
        }
        """

    private func subscribeAll(_ project: TemporaryFolder) throws -> SQLiteStore {
        let data = project.url.appending(path: ".lamplighter")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        // Five thousand transactions need not all wait for the disk here.
        let store = try SQLiteStore(
            folder: data.path, busyTimeout: .seconds(10), pragmas: ["PRAGMA synchronous = OFF"])
        for number in 0..<Self.devices {
            _ = try store.subscribe(
                DeviceSubscription(
                    eventSource: EventSourceID(adapter: "A", name: "S"), userID: "ann", deviceID: "d\(number)",
                    applicationID: "com.example.app", alias: "a", platform: .apple,
                    token: DeviceToken(stored: String(format: "%064x", number + 1)), options: [:]))
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

    @Test(
        "Killed at 20 random moments of a fan-out to 5,000 devices: all get it, and each repeat has its id",
        .timeLimit(.minutes(20)))
    func killedTwentyTimes() async throws {
        let sandbox = try await PushSandbox.start(logger: Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() })
        let project = try makeProject(Self.script, procedures: ["all"])
        try project.write(sandbox.rootCertificate, to: "root.pem")
        try project.write(sandbox.credentials.apnsPrivateKey, to: "key.p8")
        try project.write(settings(sandbox), to: "lamplighter.yaml")
        let store = try subscribeAll(project)
        let moments = (0..<20).map { _ in Int.random(in: 1..<Self.devices) }.sorted()
        for (number, moment) in moments.enumerated() {
            let server = try await ServerProcess([project.path])
            if number == 0 {
                let call = try await Command.run(["call", "A/all", #"["ann"]"#, "--project", project.path])
                #expect(call.status == 0, "\(call.errors)")
            }
            _ = await sandbox.waitForArrivals(moment, of: .apns)
            #expect(await server.end(with: SIGKILL) == 128 + SIGKILL)
        }

        let last = try await ServerProcess([project.path])
        while try store.depth().waiting > 0 {
            // The server needs the processor more than who asks it.
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(await last.end(with: SIGTERM) == 0)
        #expect(try store.counts().filter { $0.value > 0 } == [.delivered: Self.devices], "killed after \(moments)")
        var ids: [String: Set<String>] = [:]
        for arrival in sandbox.arrivals(of: .apns) where arrival.isAccepted {
            ids[try #require(arrival.token), default: []].insert(try #require(arrival.header("apns-id")))
        }
        #expect(ids.count == Self.devices, "killed after \(moments)")
        #expect(ids.values.allSatisfy { $0.count == 1 }, "killed after \(moments)")
        await sandbox.stop()
    }
}
