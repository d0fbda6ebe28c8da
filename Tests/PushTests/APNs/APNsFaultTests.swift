import Foundation
import Logging
import PushSandbox
import TestSupport
import Testing

@testable import Push

@Suite("Bad days of APNs", .defaultTimeLimit)
struct APNsFaultTests {
    @Test("GOAWAY in mid-flight: unprocessed requests go again elsewhere, and each arrives once")
    func goAway() async throws {
        try await withAPNs(fault: { $0.sequence == 100 ? .goAway(reason: "Shutdown") : nil }) { (apns) async throws in
            // A connection that ends before its first response would cause a pause.
            #expect(try await apns.send(300).isDelivered)
            let reasons = try await apns.sendMany(0..<300).compactMap(\.reason)
            #expect(Set(reasons) == [])
            let accepted = apns.sandbox.arrivals(of: .apns).filter(\.isAccepted)
            #expect(accepted.count == 301)
            #expect(Set(accepted.map(\.id)).count == 301)
            #expect(Set(accepted.map(\.connection)) == [1, 2])
        }
    }

    @Test("A GOAWAY that names a bad credential holds everything back")
    func goAwayOfCredential() async throws {
        try await withAPNs(fault: { _ in .goAway(reason: "BadCertificate") }) { (apns) async throws in
            let answer = try await apns.send(1)
            #expect(answer.isRetry)
            #expect(answer.reason?.contains("BadCertificate") == true)
            #expect(apns.log.messages(at: .error).first?.contains("BadCertificate") == true)
            #expect(try await apns.send(2).pause == .seconds(5))
        }
    }

    @Test("One stream that is reset is tried again and hurts no other")
    func reset() async throws {
        try await withAPNs(fault: { $0.sequence == 5 ? .reset : nil }) { (apns) async throws in
            let answers = try await apns.sendMany(0..<20)
            #expect(answers.filter(\.isDelivered).count == 19)
            let failed = try #require(answers.first { !$0.isDelivered })
            #expect(failed.isRetry)
            #expect(failed.reason?.contains("may have arrived") == true)
        }
    }

    @Test("A message that was accepted without a response is repeated under its id")
    func resetAfterAccepting() async throws {
        try await withAPNs(fault: { $0.sequence == 1 ? .resetAfterAccepting : nil }) { (apns) async throws in
            let id = UUID()
            #expect(try await apns.send(id: id).isRetry)
            #expect(try await apns.send(id: id).isDelivered)
            #expect(
                apns.sandbox.arrivals(of: .apns).map(\.id) == Array(repeating: id.uuidString.lowercased(), count: 2))
        }
    }

    @Test("A connection that breaks is one failure, and the next message makes another")
    func closedConnection() async throws {
        try await withAPNs(fault: { $0.sequence == 50 ? .closeConnection : nil }) { (apns) async throws in
            let answers = try await apns.sendMany(0..<100)
            #expect(answers.contains { !$0.isDelivered })
            for answer in answers where !answer.isDelivered { #expect(answer.isRetry) }
            #expect(apns.log.messages(at: .error).isEmpty)
            // The pause, in case the connection ended before its first response.
            apns.time.advance(by: .seconds(1))
            let next = try await apns.send(101)
            #expect(next.ending == .delivered)
            // Not the last arrival: requests that the sandbox had read from the broken connection may be recorded after it.
            let arrival = apns.sandbox.arrivals(of: .apns).first { $0.token == deviceToken(101) }
            #expect(arrival?.connection == 2)
        }
    }

    @Test("A request without a response is abandoned after thirty seconds, and others go on on the connection")
    func timeout() async throws {
        try await withAPNs(fault: { $0.sequence == 1 ? .never : nil }) { (apns) async throws in
            async let silent = apns.send(1)
            #expect(await apns.sandbox.waitForArrivals(1, of: .apns).count == 1)
            #expect(try await apns.send(2).isDelivered)
            apns.time.advance(by: .seconds(30))
            let answer = try await silent
            #expect(answer.isRetry)
            #expect(answer.reason?.contains("within 30") == true)
            #expect(try await apns.send(3).isDelivered)
            #expect(apns.sandbox.arrivals(of: .apns).map(\.connection) == [1, 1, 1])
        }
    }

    @Test("A task that is cancelled returns at once and leaves the connection to the others")
    func cancellation() async throws {
        try await withAPNs(fault: { $0.sequence == 1 ? .never : nil }) { (apns) async throws in
            let silent = Task { try await apns.send(1) }
            #expect(await apns.sandbox.waitForArrivals(1, of: .apns).count == 1)
            silent.cancel()
            #expect(try await silent.value.isRetry)
            #expect(try await apns.send(2).isDelivered)
            #expect(apns.sandbox.arrivals(of: .apns).map(\.connection) == [1, 1])
        }
    }

    @Test("A cancelled message that waits for room is not sent")
    func cancelledInQueue() async throws {
        var settings = HTTP2ClientSettings()
        settings.maximumConnections = 1
        try await withAPNs(
            settings: settings, sandbox: { $0.maximumConcurrentStreams = 1 }, fault: { $0.sequence == 1 ? .never : nil }
        ) { (apns) async throws in
            let silent = Task { try await apns.send(1) }
            #expect(await apns.sandbox.waitForArrivals(1, of: .apns).count == 1)
            let waiting = Task { try await apns.send(2) }
            waiting.cancel()
            #expect(try await waiting.value.isRetry)
            silent.cancel()
            _ = try await silent.value
            #expect(try await apns.send(3).isDelivered)
            #expect(apns.sandbox.arrivals(of: .apns).map(\.token) == [deviceToken(1), deviceToken(3)])
        }
    }

    @Test("A message whose task was cancelled before is not sent")
    func cancelledBefore() async throws {
        try await withAPNs { (apns) async throws in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await apns.send(1)
            }
            #expect(try await task.value.isRetry)
            #expect(try await apns.send(2).isDelivered)
            #expect(apns.sandbox.arrivals(of: .apns).map(\.token) == [deviceToken(2)])
        }
    }

    @Test("An unreachable service is not retried before the back-off is over")
    func unreachable() async throws {
        let port = closedPort
        try await withAPNs(endpoint: try APNsFixture.endpoint(port: port)) { (apns) async throws in
            let first = try await apns.send(1)
            #expect(first.reason?.contains("no connection") == true)
            let pause = try #require(first.pause)
            #expect((.milliseconds(250)...(.milliseconds(500))).contains(pause))
            #expect(try await apns.send(2).pause == pause)
            #expect(apns.log.messages(at: .warning).count == 1)
            apns.time.advance(by: pause)
            let second = try #require(try await apns.send(3).pause)
            #expect((.milliseconds(500)...(.seconds(1))).contains(second))
            // A failure that repeats is logged once a minute.
            #expect(apns.log.messages(at: .warning).count == 1)
        }
    }

    @Test("A service that accepts connections and stays silent is abandoned after ten seconds")
    func silentServer() async throws {
        let listener = try Listener()
        try await withAPNs(endpoint: try APNsFixture.endpoint(port: listener.port)) { (apns) async throws in
            async let answer = apns.send()
            try await apns.time.waitForSleepers(.seconds(10))
            apns.time.advance(by: .seconds(10))
            #expect(try await answer.reason?.contains("longer than 10") == true)
        }
    }

    @Test("A server with an untrusted certificate receives no message")
    func untrusted() async throws {
        try await withAPNs(trustsSandbox: false) { (apns) async throws in
            let answer = try await apns.send()
            #expect(answer.isRetry)
            #expect(answer.reason?.contains("CERTIFICATE_VERIFY_FAILED") == true)
            #expect(apns.sandbox.arrivalCount(of: .apns) == 0)
        }
    }

    @Test("A closed pool sends nothing")
    func closed() async throws {
        try await withAPNs { (apns) async throws in
            #expect(try await apns.send(1).isDelivered)
            await apns.connections.close()
            #expect(try await apns.send(2).isRetry)
            #expect(apns.sandbox.arrivalCount(of: .apns) == 1)
        }
    }
}
