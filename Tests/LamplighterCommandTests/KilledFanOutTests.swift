import Core
import Foundation
import Logging
import PushModel
import PushSandbox
import Storage
import TestSupport
import Testing

@Suite("kill -9, again and again", .serialized)
struct KilledFanOutTests {
    private static let devices = TestExtent.size(200, full: 5000)
    private static let kills = TestExtent.size(2, full: 20)
    @Test(
        "a fan-out that is killed at random moments reaches all devices, and each repeat has its id",
        .defaultTimeLimit)
    func killed() async throws {
        let sandbox = try await PushSandbox.start(logger: Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() })
        let project = try makeFanOutProject()
        try project.useAPNs(of: sandbox)
        let store = try project.subscribe(Self.devices, platform: .apple) { _ in "ann" }
        let moments = (0..<Self.kills).map { _ in Int.random(in: 1..<Self.devices) }.sorted()
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
        try await project.waitUntilDelivered(by: store)
        #expect(await last.end(with: SIGTERM) == 0)
        #expect(
            try store.outbox.counts().filter { $0.value > 0 } == [.delivered: Self.devices], "killed after \(moments)")
        var ids: [String: Set<String>] = [:]
        for arrival in sandbox.arrivals(of: .apns) where arrival.isAccepted {
            ids[try #require(arrival.token), default: []].insert(try #require(arrival.header("apns-id")))
        }
        #expect(ids.count == Self.devices, "killed after \(moments)")
        #expect(ids.values.allSatisfy { $0.count == 1 }, "killed after \(moments)")
        await sandbox.stop()
    }
}
