import Delivery
import Foundation
import Logging
import PushSandbox
import TestSupport
import Testing

@testable import PushServices

@Suite("Device tokens that APNs does not know", .timeLimit(.minutes(20)))
struct APNsForeignTokenTests {
    private static let reasons = ["BadDeviceToken", "DeviceTokenNotForTopic"]

    /// Refuses the devices whose numbers fulfil the condition.
    private static func refusing(
        _ reason: String = "BadDeviceToken", _ condition: @escaping @Sendable (Int) -> Bool
    ) -> @Sendable (SandboxRequest) -> SandboxFault? {
        { request in
            let digits = request.token?.drop { $0 == "a" } ?? ""
            return condition(Int(digits, radix: 16) ?? 0) ? .status(400, reason: reason) : nil
        }
    }

    @Test("A lone bad token goes when others have shown that the environment is right", arguments: reasons)
    func lone(reason: String) async throws {
        try await withAPNs(fault: Self.refusing(reason) { $0 == 9 }) { (apns) async throws in
            for number in 1...3 { #expect(try await apns.send(number).isDelivered) }
            let answer = try await apns.send(9)
            #expect(answer.isDeviceGone)
            #expect(answer.reason?.contains(reason) == true)
        }
    }

    @Test("A device that is gone does not show that the environment is right")
    func goneIsNoProof() async throws {
        try await withAPNs(fault: {
            $0.sequence == 1 ? .status(410, reason: "Unregistered") : .status(400, reason: "BadDeviceToken")
        }) { (apns) async throws in
            #expect(try await apns.send(1).pause == .seconds(60))
            #expect(try await apns.send(2).pause == .seconds(60))
        }
    }

    @Test("A bad token stays as long as nothing is known, and goes when it is tried again later")
    func first() async throws {
        try await withAPNs(fault: Self.refusing { $0 == 1 }) { (apns) async throws in
            let first = try await apns.send(1)
            #expect(first.pause == .seconds(60))
            #expect(first.isRetry)
            #expect(try await apns.send(2).isDelivered)
            #expect(try await apns.send(1).isDeviceGone)
        }
    }

    @Test("One device that is tried twenty times is one device, and no reason for an alarm")
    func sameDevice() async throws {
        try await withAPNs(fault: Self.refusing { _ in true }) { (apns) async throws in
            for _ in 0..<20 { #expect(try await apns.send(1).pause == .seconds(60)) }
            #expect(apns.log.messages(at: .error).isEmpty)
        }
    }

    @Test(
        "When no token is known the environment is wrong: nothing is removed, everything waits, the log has one alarm")
    func wrongEnvironment() async throws {
        try await withAPNs(fault: Self.refusing { _ in true }) { (apns) async throws in
            let answers = try await apns.sendMany(0..<200)
            #expect(answers.contains { !$0.isRetry } == false)
            let alarms = apns.log.messages(at: .error)
            #expect(alarms.count == 1)
            #expect(alarms.first?.contains("environment") == true)
            let arrived = apns.sandbox.arrivalCount(of: .apns)
            let held = try await apns.send(300)
            #expect(held.pause == MassRemovalGuard.probePause)
            #expect(held.reason?.contains("No device is removed") == true)
            #expect(apns.sandbox.arrivalCount(of: .apns) == arrived)
        }
    }

    @Test("After the alarm one message is let through at a time, and the first known token ends it")
    func recovery() async throws {
        try await withAPNs(fault: { $0.sequence <= 6 ? .status(400, reason: "BadDeviceToken") : nil }) {
            (apns) async throws in
            for number in 0..<5 { _ = try await apns.send(number) }
            apns.time.advance(by: .seconds(60))
            #expect(try await apns.send(4).isRetry)
            #expect(try await apns.send(4).pause == .seconds(120))
            apns.time.advance(by: .seconds(120))
            #expect(try await apns.send(12).isDelivered)
            #expect(try await apns.send(13).isDelivered)
        }
    }

    @Test("Half of all tokens bad, in any order, is no wrong environment: those devices go")
    func half() async throws {
        try await withAPNs(fault: Self.refusing { !$0.isMultiple(of: 2) }) { (apns) async throws in
            for number in [0, 2, 4] { #expect(try await apns.send(number).isDelivered) }
            for number in 5..<100 {
                let answer = try await apns.send(number)
                #expect(number.isMultiple(of: 2) ? answer.isDelivered : answer.isDeviceGone)
            }
            #expect(apns.log.messages(at: .error).isEmpty)
        }
    }

    @Test("Few good tokens among many bad ones are no proof")
    func few() async throws {
        try await withAPNs(fault: Self.refusing { $0 > 0 }) { (apns) async throws in
            #expect(try await apns.send(0).isDelivered)
            for number in 11..<50 { #expect(try await apns.send(number).isRetry) }
            #expect(apns.log.messages(at: .error).count == 1)
        }
    }

    @Test("One app's wrong environment does not hold up another app of the same team")
    func otherTopic() async throws {
        try await withAPNs(fault: { request in
            request.headers.contains { $0 == ("apns-topic", "com.example.app") }
                ? .status(400, reason: "BadDeviceToken") : nil
        }) { (apns) async throws in
            for number in 0..<10 { _ = try await apns.send(number) }
            #expect(try await apns.send(11).pause == MassRemovalGuard.probePause)
            #expect(try await apns.send(12, application: "com.example.other").isDelivered)
        }
    }
}
