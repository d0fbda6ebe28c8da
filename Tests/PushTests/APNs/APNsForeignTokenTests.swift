import Foundation
import Logging
import PushSandbox
import TestSupport
import Testing

@testable import Push

@Suite("Device tokens that APNs does not know", .defaultTimeLimit)
struct APNsForeignTokenTests {
    @Test(
        "A bad token is removed at its second attempt, once another device has proven the environment",
        arguments: ["BadDeviceToken", "DeviceTokenNotForTopic"])
    func lone(reason: String) async throws {
        let bad = deviceToken(9)
        try await withAPNs(fault: { $0.token == bad ? .status(400, reason: reason) : nil }) { (apns) async throws in
            #expect(try await apns.send(9).pause == .seconds(60))
            #expect(try await apns.send(1).isDelivered)
            apns.time.advance(by: .seconds(60))
            let answer = try await apns.send(9)
            #expect(answer.isDeviceGone)
            #expect(answer.reason?.contains(reason) == true)
        }
    }

    @Test("A service that refuses every token removes no device, and the alarm names the environment")
    func wrongEnvironment() async throws {
        try await withAPNs(fault: { _ in .status(400, reason: "BadDeviceToken") }) { (apns) async throws in
            #expect(try await apns.sendMany(0..<60).contains { !$0.isRetry } == false)
            let alarms = apns.log.messages(at: .error)
            #expect(alarms.count == 1)
            #expect(alarms.first?.contains("environment") == true)
        }
    }

    @Test("Messages for one app are no proof for another app of the same team")
    func otherTopic() async throws {
        try await withAPNs(fault: { request in
            request.headers.contains { $0 == ("apns-topic", "com.example.app") }
                ? .status(400, reason: "BadDeviceToken") : nil
        }) { (apns) async throws in
            #expect(try await apns.send(1).isRetry)
            #expect(try await apns.send(12, application: "com.example.other").isDelivered)
            apns.time.advance(by: .seconds(60))
            #expect(try await apns.send(1).isRetry)
        }
    }
}
