import Foundation
import Logging
import PushSandbox
import TestSupport
import Testing

@testable import Push

@Suite("Provider tokens", .defaultTimeLimit)
struct APNsProviderTokenTests {
    private func tokens(_ arrivals: [Arrival]) -> [String] {
        arrivals.compactMap { $0.header("authorization") }
    }

    @Test("All messages, also of other transports with the same key, carry one token")
    func shared() async throws {
        try await withAPNs { (apns) async throws in
            let other = try apns.connections.transport(with: try APNsFixture.key(of: apns.sandbox), to: .sandbox)
            #expect(try await apns.sendMany(0..<50).areDelivered)
            #expect(try await apns.send(through: other, environment: .sandbox).isDelivered)
            #expect(Set(tokens(apns.sandbox.arrivals(of: .apns))).count == 1)
        }
    }

    @Test("One credential and environment share one transport")
    func sameTransport() async throws {
        try await withAPNs { (apns) async throws in
            let again = try apns.connections.transport(with: try APNsFixture.key(of: apns.sandbox), to: .production)
            #expect(again === apns.transport)
        }
    }

    @Test("A token is used for fifty minutes and no longer than fifty-three")
    func renewal() async throws {
        try await withAPNs { (apns) async throws in
            _ = try await apns.send(1)
            apns.time.advance(by: .seconds(50 * 60 - 1))
            _ = try await apns.send(2)
            apns.time.advance(by: .seconds(3 * 60 + 2))
            #expect(try await apns.send(3).isDelivered)
            let tokens = tokens(apns.sandbox.arrivals(of: .apns))
            #expect(tokens[0] == tokens[1])
            #expect(tokens[1] != tokens[2])
        }
    }

    @Test("Many messages at the moment of renewal make one new token")
    func oneRenewal() async throws {
        try await withAPNs { (apns) async throws in
            _ = try await apns.send(1)
            apns.time.advance(by: .seconds(54 * 60))
            #expect(try await apns.sendMany(0..<100).areDelivered)
            #expect(Set(tokens(apns.sandbox.arrivals(of: .apns))).count == 2)
        }
    }

    @Test("A token that the service calls too old is renewed, and the message is sent again at once")
    func expired() async throws {
        try await withAPNs(fault: { $0.sequence == 2 ? .expiredToken : nil }) { (apns) async throws in
            _ = try await apns.send(1)
            apns.time.advance(by: .seconds(21 * 60))
            #expect(try await apns.send(2).isDelivered)
            let arrivals = apns.sandbox.arrivals(of: .apns)
            #expect(arrivals.map(\.status) == [200, 403, 200])
            #expect(Set(tokens(arrivals)).count == 2)
        }
    }

    @Test(
        "A young token that the service calls too old means a wrong clock: no new token, an alarm, and everything waits"
    )
    func clockTrouble() async throws {
        try await withAPNs(fault: { $0.sequence == 1 ? .expiredToken : nil }) { (apns) async throws in
            let answer = try await apns.send(1)
            #expect(answer.pause == .seconds(5))
            #expect(answer.reason?.contains("clock") == true)
            #expect(apns.log.messages(at: .error).first?.contains("clock") == true)
            #expect(try await apns.send(2).isRetry)
            #expect(apns.sandbox.arrivalCount(of: .apns) == 1)
        }
    }

    @Test("A corrected clock leads to a new token, though not within 20 minutes")
    func clockSet() async throws {
        try await withAPNs { (apns) async throws in
            _ = try await apns.send(1)
            apns.time.setClock(forwardBy: 3500)
            _ = try await apns.send(2)
            apns.time.advance(by: .seconds(21 * 60))
            _ = try await apns.send(3)
            let tokens = tokens(apns.sandbox.arrivals(of: .apns))
            #expect(tokens[0] == tokens[1])
            #expect(tokens[1] != tokens[2])
        }
    }

    @Test("Too many new tokens: the old one stays in use, and sending pauses for a minute")
    func tooManyUpdates() async throws {
        try await withAPNs(fault: { $0.sequence == 2 ? .status(429, reason: "TooManyProviderTokenUpdates") : nil }) {
            (apns) async throws in
            _ = try await apns.send(1)
            apns.time.advance(by: .seconds(53 * 60))
            let answer = try await apns.send(2)
            #expect(answer.pause == .seconds(60))
            #expect(try await apns.send(3).pause == .seconds(60))
            apns.time.advance(by: .seconds(60))
            #expect(try await apns.send(3).isDelivered)
            let tokens = tokens(apns.sandbox.arrivals(of: .apns))
            #expect(tokens[0] != tokens[1])
            #expect(tokens[2] == tokens[0])
        }
    }

    @Test("No log or record holds a provider token")
    func secret() async throws {
        try await withAPNs(fault: { $0.sequence == 2 ? .status(403, reason: "InvalidProviderToken") : nil }) {
            (apns) async throws in
            _ = try await apns.send(1)
            let answer = try await apns.send(2)
            let token = try #require(tokens(apns.sandbox.arrivals(of: .apns)).first?.dropFirst("bearer ".count))
            #expect(answer.reason?.contains(token) == false)
            for line in apns.log.lines.value {
                #expect(!line.message.contains(token))
                #expect(!line.metadata.values.contains { $0.contains(token) })
            }
        }
    }
}
