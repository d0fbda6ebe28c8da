import Core
import Foundation
import Logging
import PushModel
import PushSandbox
import Storage
import TestSupport
import Testing

@Suite("Faults on the way to the phones")
struct DeliveryFaultTests {
    @Test(
        "A connection that breaks in any phase loses no message, and each repeat has its id",
        .defaultTimeLimit,
        arguments: TestExtent.size(
            [SandboxFault.reset, .goAway(reason: "Shutdown")],
            full: [
                .reset, .resetAfterAccepting, .closeConnection, .goAway(reason: "Shutdown"),
                .status(503, reason: "ServiceUnavailable", timestamp: nil, retryAfter: nil),
                .status(500, reason: "InternalServerError", timestamp: nil, retryAfter: nil),
            ]))
    func broken(fault: SandboxFault) async throws {
        try await SandboxedServer.run(devices: 20) { settings in
            // Some devices fail at first.
            settings.fault = { request in
                request.number == 1 && request.token?.hasSuffix("3") == true ? fault : nil
            }
        } _: { (world) async throws in
            try await world.notify()
            #expect(try await world.settled(20) == [.delivered: 20])
            #expect(Set(world.acceptedTokens()).count == 20)
            let ids = world.idsByToken()
            #expect(ids.count == 20 && ids.values.allSatisfy { $0.count == 1 })
        }
    }

    @Test("An expired token is renewed, and no message is lost", .defaultTimeLimit)
    func expiredToken() async throws {
        try await SandboxedServer.run(devices: 20) { settings in
            settings.fault = { $0.sequence == 1 ? .expiredToken : nil }
        } _: { (world) async throws in
            try await world.notify()
            #expect(try await world.settled(20) == [.delivered: 20])
        }
    }

    @Test("Tokens of the wrong environment remove no device, and the log has an error", .defaultTimeLimit)
    func wrongEnvironment() async throws {
        try await SandboxedServer.run(devices: 200) { settings in
            settings.fault = { _ in .status(400, reason: "BadDeviceToken", timestamp: nil, retryAfter: nil) }
        } _: { (world) async throws in
            try await world.notify()
            try await world.log.lines.wait { lines in
                lines.contains { $0.level == .error && $0.message.contains("environment") }
            }
            #expect(try world.store.deviceSubscriptions(matching: SubscriptionFilter(userID: "ann")).count == 200)
        }
    }
}
