import Foundation
import Logging
import PushSandbox
import TestSupport
import Testing

@testable import Push

/// Each row of Apple's table, as push-sandbox responds.
@Suite("Responses of APNs", .defaultTimeLimit)
struct APNsAnswerTests {
    @Test("A notification is delivered once, with all its header fields and its id as the service's id")
    func delivered() async throws {
        try await withAPNs { (apns) async throws in
            let id = UUID()
            let answer = try await apns.send(id: id)
            #expect(answer == PushAnswer(.delivered, serviceID: id.uuidString.lowercased()))
            let arrivals = apns.sandbox.arrivals(of: .apns)
            #expect(arrivals.map(\.status) == [200])
            let arrival = try #require(arrivals.first)
            #expect(arrival.path == "/3/device/\(deviceToken())")
            #expect(arrival.header("apns-topic") == "com.example.app")
            #expect(arrival.header("apns-id") == id.uuidString.lowercased())
            #expect(arrival.header("authorization")?.hasPrefix("bearer ") == true)
            #expect(String(decoding: arrival.body, as: UTF8.self).contains("Hello"))
        }
    }

    @Test(
        "A problem of one message refuses it with the reason, and delays no other message",
        arguments: [
            (400, "BadCollapseId"), (400, "BadExpirationDate"), (400, "BadMessageId"), (400, "BadPriority"),
            (400, "BadTopic"), (400, "DuplicateHeaders"), (400, "InvalidPushType"), (400, "MissingDeviceToken"),
            (400, "MissingTopic"), (400, "PayloadEmpty"), (400, "TopicDisallowed"), (404, "BadPath"),
            (405, "MethodNotAllowed"), (413, "PayloadTooLarge"), (400, "SomethingNew"), (451, "SomethingNew"),
        ])
    func refused(status: Int, reason: String) async throws {
        try await withAPNs(fault: { $0.sequence <= 6 ? .status(status, reason: reason) : nil }) { (apns) async throws in
            for number in 0..<6 {
                let answer = try await apns.send(number)
                #expect(answer.isRefused)
                #expect(answer.reason?.hasPrefix("APNs returned status \(status) \(reason); ") == true)
            }
            #expect(try await apns.send(7).isDelivered)
        }
    }

    @Test(
        "A credential that is refused holds everything back, in the queue, and raises the alarm",
        arguments: [
            "BadCertificate", "BadCertificateEnvironment", "Forbidden", "InvalidProviderToken", "MissingProviderToken",
            "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken", "SomethingNew",
        ])
    func credential(reason: String) async throws {
        try await withAPNs(fault: { $0.sequence == 1 ? .status(403, reason: reason) : nil }) { (apns) async throws in
            let first = try await apns.send(1)
            #expect(first.isRetry)
            #expect(first.reason?.contains(reason) == true)
            let held = try await apns.send(2)
            #expect(held.pause == .seconds(5))
            #expect(held.reason?.contains(reason) == true)
            #expect(apns.sandbox.arrivalCount(of: .apns) == 1)
            #expect(apns.log.messages(at: .error).count == 1)
            apns.time.advance(by: .seconds(5))
            #expect(try await apns.send(2).isDelivered)
        }
    }

    @Test("A device that is gone comes with Apple's timestamp", arguments: ["Unregistered", "ExpiredToken"])
    func gone(reason: String) async throws {
        let since = Date(timeIntervalSince1970: 1_699_999_000.5)
        let lost = deviceToken()
        try await withAPNs(fault: { $0.token == lost ? .status(410, reason: reason, timestamp: since) : nil }) {
            (apns) async throws in
            #expect(try await apns.send().isRetry)
            #expect(try await apns.send(1).isDelivered)
            apns.time.advance(by: .seconds(60))
            let answer = try await apns.send()
            guard case .deviceGone(let text, let asOf) = answer.ending else {
                Issue.record("\(answer)")
                return
            }
            #expect(asOf == since)
            #expect(text.contains(reason))
        }
    }

    @Test("A device that gets too many messages waits alone")
    func tooManyRequests() async throws {
        try await withAPNs(fault: {
            switch $0.sequence {
            case 1: .status(429, reason: "TooManyRequests")
            case 2: .status(429, reason: "TooManyRequests", retryAfter: 17)
            default: nil
            }
        }) { (apns) async throws in
            #expect(try await apns.send(1).pause == .seconds(60))
            #expect(try await apns.send(1).pause == .seconds(17))
            #expect(try await apns.send(2).isDelivered)
        }
    }

    @Test(
        "A failing service is retried, and paused after five failures in a row",
        arguments: [
            (500, "InternalServerError"), (503, "ServiceUnavailable"), (502, "SomethingNew"), (302, "SomethingNew"),
        ])
    func service(status: Int, reason: String) async throws {
        try await withAPNs(fault: { $0.sequence <= 5 ? .status(status, reason: reason) : nil }) { (apns) async throws in
            for number in 0..<5 {
                let answer = try await apns.send(number)
                #expect(answer.ending == .retry(after: nil, reason: "APNs returned status \(status) \(reason)"))
            }
            #expect(try await apns.send(6).pause == .seconds(5))
            #expect(apns.sandbox.arrivalCount(of: .apns) == 5)
            apns.time.advance(by: .seconds(5))
            #expect(try await apns.send(6).isDelivered)
        }
    }

    @Test("A service's Retry-After pauses it")
    func retryAfter() async throws {
        try await withAPNs(fault: { _ in .status(503, reason: "ServiceUnavailable", retryAfter: 90) }) {
            (apns) async throws in
            #expect(try await apns.send().pause == .seconds(90))
        }
    }

    @Test(
        "A connection that the service ends is replaced at once, and the message uses the next one",
        arguments: [(400, "IdleTimeout"), (503, "Shutdown")])
    func otherConnection(status: Int, reason: String) async throws {
        try await withAPNs(fault: { $0.connection == 1 ? .status(status, reason: reason) : nil }) {
            (apns) async throws in
            let id = UUID()
            #expect(try await apns.send(id: id).isDelivered)
            let arrivals = apns.sandbox.arrivals(of: .apns)
            #expect(arrivals.map(\.connection) == [1, 2])
            #expect(Set(arrivals.map(\.id)) == [id.uuidString.lowercased()])
        }
    }

    @Test("A service that shuts down every connection is not retried endlessly")
    func shutdownEverywhere() async throws {
        try await withAPNs(fault: { _ in .status(503, reason: "Shutdown") }) { (apns) async throws in
            #expect(try await apns.send().ending == .retry(after: nil, reason: "APNs returned status 503 Shutdown"))
            #expect(apns.sandbox.arrivalCount(of: .apns) == 3)
        }
    }

    @Test("Every reason of the table is tested here")
    func complete() {
        #expect(APNsReasons.table.count == 33)
    }

    @Test("A request that was made for the other environment is not sent")
    func otherEnvironment() async throws {
        try await withAPNs { (apns) async throws in
            let answer = try await apns.send(environment: .sandbox)
            #expect(answer.isRefused)
            #expect(answer.reason?.contains("api.push.apple.com") == true)
            #expect(apns.sandbox.arrivalCount(of: .apns) == 0)
        }
    }
}
