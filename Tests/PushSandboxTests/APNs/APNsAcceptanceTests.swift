import PushSandbox
import TestSupport
import Testing

@Suite("APNs' side takes good requests", .defaultTimeLimit)
struct APNsAcceptanceTests {
    @Test("A good request gets 200, its own id and a unique id, and is kept")
    func delivers() async throws {
        try await APNsCase.run { apns in
            let reply = try await apns.send()
            #expect(reply.status == 200)
            #expect(reply.body == "")
            #expect(reply.header("apns-id") == APNsCase.id)
            #expect(reply.header("apns-unique-id")?.count == 36)
            let arrivals = await apns.sandbox.waitForArrivals(1)
            let arrival = try #require(arrivals.first)
            #expect(arrival.token == APNsCase.token)
            #expect(arrival.id == APNsCase.id)
            #expect(arrival.status == 200)
            #expect(arrival.isAccepted)
            #expect(arrival.header("apns-topic") == "com.example.app")
            #expect(String(decoding: arrival.body, as: UTF8.self) == APNsCase.body)
        }
    }

    @Test("A request without an id gets one")
    func makesID() async throws {
        try await APNsCase.run { apns in
            let reply = try await apns.send(["apns-id": nil])
            #expect(reply.header("apns-id")?.count == 36)
        }
    }

    @Test("A client certificate does instead of a token, and its topic instead of apns-topic")
    func takesCertificate() async throws {
        try await APNsCase.run { apns in
            let credentials = apns.sandbox.credentials
            let client = try await APNsClient.connect(
                port: apns.sandbox.apnsPort, trusting: apns.sandbox.rootCertificate,
                certificate: (credentials.clientCertificate, credentials.clientPrivateKey))
            let reply = try await client.send("POST", APNsCase.path, [("apns-push-type", "alert")], APNsCase.body)
            #expect(reply.status == 200)
            let other = try await client.send("POST", APNsCase.path, [("apns-topic", "com.example.b")], APNsCase.body)
            #expect(other.body == #"{"reason":"TopicDisallowed"}"#)
            await client.close()
        }
    }

    @Test("A connection that does not agree on HTTP/2 is closed")
    func wantsHTTP2() async throws {
        try await APNsCase.run { apns in
            await #expect(throws: (any Error).self) {
                _ = try await APNsClient.connect(
                    port: apns.sandbox.apnsPort, trusting: apns.sandbox.rootCertificate, protocols: [])
            }
        }
    }

    @Test("One stream is announced until a token was good, if the settings say so")
    func announcesStreamsLate() async throws {
        var settings = PushSandbox.Settings()
        settings.startsWithOneStream = true
        settings.maximumConcurrentStreams = 77
        try await APNsCase.run(settings) { apns in
            #expect(try await apns.client.streamLimits() == [1])
            _ = try await apns.send()
            #expect(try await apns.client.streamLimits() == [1, 77])
        }
    }

    @Test("Arrivals are kept up to the setting's number, and all are counted")
    func keepsTheLast() async throws {
        var settings = PushSandbox.Settings()
        settings.keptArrivals = 2
        try await APNsCase.run(settings) { apns in
            for _ in 1...5 { _ = try await apns.send() }
            #expect(apns.sandbox.arrivals().map(\.sequence) == [4, 5])
            #expect(apns.sandbox.arrivalCount(of: .apns) == 5)
        }
    }

    @Test("More than the usual window fits through a connection")
    func growsTheWindow() async throws {
        try await APNsCase.run { apns in
            let body = #"{"aps":{"alert":"\#(String(repeating: "x", count: 4000))"}}"#
            let headers = apns.headers()
            for _ in 1...40 {
                let reply = try await apns.client.send("POST", APNsCase.path, headers, body)
                #expect(reply.status == 200)
            }
        }
    }
}
