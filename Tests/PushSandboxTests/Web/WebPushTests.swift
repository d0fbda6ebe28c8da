import Core
import Crypto
import PushSandbox
import TestSupport
import Testing

@Suite("The Web Push side", .defaultTimeLimit)
struct WebPushTests {
    private func send(
        _ web: WebCase, to subscriber: WebPushSubscriber, _ changes: [String: String?] = [:], body: [UInt8]? = nil
    ) async throws -> WebCase.Reply {
        var headers: [String: String?] = ["TTL": "60", "Content-Encoding": "aes128gcm"]
        if changes["Authorization"] == nil { headers["Authorization"] = try await web.vapid() }
        for (name, value) in changes { headers[name] = .some(value) }
        let message = try body ?? WebCase.encrypt("hello", for: subscriber, padding: 3)
        return try await web.send("POST", subscriber.endpoint, headers, body: message)
    }

    @Test("A good message is decrypted and kept in the clear")
    func accepts() async throws {
        try await WebCase.run { web in
            let subscriber = web.sandbox.makeWebPushSubscriber()
            let reply = try await send(web, to: subscriber, ["Topic": "news", "Urgency": "high"])
            #expect(reply.status == 201)
            #expect(reply.headers["location"]?.hasPrefix("https://localhost") == true)
            let arrival = try #require(await web.sandbox.waitForArrivals(1, of: .webPush).first)
            #expect(arrival.token == subscriber.id)
            #expect(String(decoding: arrival.body, as: UTF8.self) == "hello")
        }
    }

    struct Bad: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let changes: [String: String?]
        let status: Int
    }

    static let bad = [
        Bad(testDescription: "no TTL", changes: ["TTL": nil], status: 400),
        Bad(testDescription: "a TTL below 0", changes: ["TTL": "-1"], status: 400),
        Bad(testDescription: "another encoding", changes: ["Content-Encoding": "aesgcm"], status: 400),
        Bad(testDescription: "a long topic", changes: ["Topic": String(repeating: "a", count: 33)], status: 400),
        Bad(testDescription: "an unknown urgency", changes: ["Urgency": "now"], status: 400),
        Bad(testDescription: "another authorization", changes: ["Authorization": "Bearer x"], status: 403),
    ]

    @Test("refuses an invalid request", arguments: bad)
    func refuses(_ bad: Bad) async throws {
        try await WebCase.run { web in
            let reply = try await send(web, to: web.sandbox.makeWebPushSubscriber(), bad.changes)
            #expect(reply.status == bad.status)
            #expect(web.sandbox.arrivals(of: .webPush).first?.isAccepted == false)
        }
    }

    @Test("refuses tokens for another origin, expired, too long, without a contact or of another key")
    func checksVAPID() async throws {
        try await WebCase.run { web in
            let subscriber = web.sandbox.makeWebPushSubscriber()
            let tokens = [
                try await web.vapid { $0.aud = "https://push.example.com" }, try await web.vapid { $0.exp -= 7200 },
                try await web.vapid { $0.exp += 90_000 }, try await web.vapid { $0.sub = nil },
                try await web.vapid(shown: P256.Signing.PrivateKey().publicKey),
            ]
            for token in tokens {
                let reply = try await send(web, to: subscriber, ["Authorization": token])
                #expect(reply.status == 403)
            }
        }
    }

    @Test("A message for another subscriber cannot be decrypted; one that is too long is refused")
    func checksBody() async throws {
        try await WebCase.run { web in
            let subscriber = web.sandbox.makeWebPushSubscriber()
            let foreign = try WebCase.encrypt("x", for: web.sandbox.makeWebPushSubscriber())
            let reply = try await send(web, to: subscriber, body: foreign)
            #expect(reply.status == 400)
            #expect(reply.json["message"]?.string?.contains("cannot be decrypted") == true)
            let long = try await send(web, to: subscriber, body: [UInt8](repeating: 1, count: 4097))
            #expect(long.status == 413)
        }
    }

    @Test("An unknown endpoint is 404, a cancelled one is 410")
    func knowsSubscribers() async throws {
        try await WebCase.run { web in
            let subscriber = web.sandbox.makeWebPushSubscriber()
            web.sandbox.removeWebPushSubscriber(subscriber)
            #expect(try await send(web, to: subscriber).status == 410)
            let unknown = try await web.send("POST", web.base + "/push/nobody", [:], "")
            #expect(unknown.status == 404)
        }
    }

    @Test("A subscriber can be had over HTTP, in the form of a browser's")
    func makesSubscribers() async throws {
        var settings = PushSandbox.Settings()
        settings.pagePort = 0
        try await WebCase.run(settings) { web in
            let port = try #require(web.sandbox.pagePort)
            let made = try await web.send("POST", "http://127.0.0.1:\(port)/subscribers")
            #expect(made.status == 201)
            #expect(made.json["keys"]?["p256dh"]?.string.flatMap { Base64URL.decode($0)?.count } == 65)
            #expect(made.json["keys"]?["auth"]?.string.flatMap { Base64URL.decode($0)?.count } == 16)
            let endpoint = try #require(made.json["endpoint"]?.string)
            let headers = ["TTL": "60", "Authorization": try await web.vapid()]
            let reply = try await web.send("POST", endpoint, headers, "")
            #expect(reply.status == 201)
        }
    }
}
