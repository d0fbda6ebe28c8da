import Foundation
import NIOHTTP2
import PushSandbox
import TestSupport
import Testing

@Suite("APNs' side has bad days", .defaultTimeLimit)
struct SandboxFaultTests {
    /// Settings with which the first request goes wrong.
    private func first(_ fault: SandboxFault) -> PushSandbox.Settings {
        var settings = PushSandbox.Settings()
        settings.fault = { $0.sequence == 1 ? fault : nil }
        return settings
    }

    @Test("A status comes with its reason, the time in milliseconds and Retry-After")
    func answersStatus() async throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try await APNsCase.run(first(.status(410, reason: "Unregistered", timestamp: date, retryAfter: 7))) { apns in
            let reply = try await apns.send()
            #expect(reply.status == 410)
            #expect(reply.body == #"{"reason":"Unregistered","timestamp":1700000000000}"#)
            #expect(reply.header("retry-after") == "7")
            #expect(reply.header("apns-id") == APNsCase.id)
            #expect(try await apns.send().status == 200)
        }
    }

    @Test("A reset stream does not count as an arrival")
    func resets() async throws {
        try await APNsCase.run(first(.reset)) { apns in
            let reply = try await apns.send()
            #expect(reply == .reset(.internalError))
            #expect(apns.sandbox.arrivals().first?.isAccepted == false)
            #expect(try await apns.send().status == 200)
        }
    }

    @Test("A stream reset after accepting is an arrival that counts, without a response")
    func resetsLate() async throws {
        try await APNsCase.run(first(.resetAfterAccepting)) { apns in
            let reply = try await apns.send()
            #expect(reply == .reset(.internalError))
            let arrival = try #require(apns.sandbox.arrivals().first)
            #expect(arrival.isAccepted)
            #expect(arrival.status == nil)
        }
    }

    @Test("GOAWAY names the last served stream and the reason; streams below it still get responses")
    func goesAway() async throws {
        var settings = PushSandbox.Settings()
        settings.fault = { request in
            switch request.sequence {
            case 1: .slow(.milliseconds(300))
            case 2: .goAway(reason: "Shutdown")
            default: nil
            }
        }
        try await APNsCase.run(settings) { apns in
            async let slow = apns.send()
            _ = await apns.sandbox.waitForArrivals(1)
            let reply = try await apns.send()
            #expect(reply == .reset(.refusedStream))
            #expect(try await apns.client.goAways() == [.init(lastStream: 1, text: #"{"reason":"Shutdown"}"#)])
            let late = try await slow
            #expect(late.status == 200)
            #expect(apns.sandbox.arrivals().map(\.isAccepted) == [true, false])
        }
    }

    @Test("GOAWAY reaches a client that has already sent more, and costs it no response")
    func goesAwayWhileMoreComes() async throws {
        var settings = PushSandbox.Settings()
        settings.fault = { $0.sequence == 1 ? .goAway(reason: "Shutdown") : nil }
        try await APNsCase.run(settings) { apns in
            // The end of the second comes when the server's HTTP/2 has no stream left.
            let replies = try await apns.client.send(
                together: [[APNsCase.body], ["{", "}"]], APNsCase.path, apns.headers())
            #expect(replies == [.reset(.refusedStream), .reset(.refusedStream)])
            #expect(try await apns.client.goAways() == [.init(lastStream: 0, text: #"{"reason":"Shutdown"}"#)])
        }
    }

    @Test("A closed connection sends no response")
    func closes() async throws {
        try await APNsCase.run(first(.closeConnection)) { apns in
            let reply = try await apns.send()
            #expect(reply == .connectionClosed)
        }
    }

    @Test("The token after an expired one does not count as an update too many")
    func expires() async throws {
        try await APNsCase.run(first(.expiredToken)) { apns in
            let first = try await apns.send(["authorization": "bearer \(try await apns.providerToken(age: 5))"])
            #expect(first.body == #"{"reason":"ExpiredProviderToken"}"#)
            let second = try await apns.send(["authorization": "bearer \(try await apns.providerToken(age: 3))"])
            #expect(second.status == 200)
        }
    }

    @Test("A request without a response delays no other, and stopping ends it")
    func neverAnswers() async throws {
        try await APNsCase.run(first(.never)) { apns in
            async let lost = apns.send()
            _ = await apns.sandbox.waitForArrivals(1)
            #expect(try await apns.send().status == 200)
            await apns.sandbox.stop()
            let reply = try await lost
            #expect(reply == .connectionClosed)
        }
    }

    @Test("Faults can go by the device's own count of requests")
    func countsPerDevice() async throws {
        var settings = PushSandbox.Settings()
        settings.fault = { $0.number == 2 ? .status(429, reason: "TooManyRequests") : nil }
        try await APNsCase.run(settings) { apns in
            let other = "/3/device/" + String(repeating: "0b", count: 32)
            var statuses: [Int?] = []
            for path in [APNsCase.path, other, APNsCase.path, APNsCase.path] {
                statuses.append(try await apns.send(path: path).status)
            }
            #expect(statuses == [200, 200, 429, 200])
        }
    }
}
