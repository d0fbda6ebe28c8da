import Core
import Foundation
import Logging
import PushModel
import TestSupport
import Testing

@testable import Push

@Suite("Sending to pages in browsers")
struct WebPushTransportTests {
    /// Sends one message to a service with this response.
    private func ending(_ answer: LoopbackServer.Reply) async throws -> MediatorOutcome.Ending {
        try await LocalPushService.run({ _ in answer }) { service in
            let fixture = try WebPushFixture(at: service)
            let ending = try await fixture.send().ending
            await fixture.transport.close()
            return ending
        }
    }

    @Test("A message arrives encrypted for the browser, with the headers of the standards")
    func arrives() async throws {
        try await LocalPushService.run { service in
            let fixture = try WebPushFixture(at: service)
            #expect(try await fixture.send(endpoint: "https://push.example.com:8443/p/1?a=b").ending == .delivered)
            let request = try #require(service.requests.value.first)
            #expect(request.method == "POST" && request.target == "/p/1?a=b")
            #expect(request.headers("TTL") == ["3600"] && request.headers("Urgency") == ["high"])
            #expect(request.headers("Content-Encoding") == ["aes128gcm"])
            #expect(request.headers("Content-Type") == ["application/octet-stream"])
            #expect(request.headers("Topic").first?.count == 22)
            #expect(request.headers("Authorization").first?.hasSuffix(", k=\(fixture.key.publicKey)") == true)
            let text = try fixture.browser.read(request.bodyBytes)
            #expect(try JSONValue(parsing: text)["alert"] == "Hello")
            #expect(try JSONValue(parsing: text)["payload"] == ["alias": "news"])
            await fixture.transport.close()
        }
    }

    @Test("The service's own address of the message is kept", arguments: [200, 201, 202, 204])
    func accepted(status: Int) async throws {
        let answer = LoopbackServer.Reply.status(status, headers: ["Location": "https://push.example.com/m/7"])
        try await LocalPushService.run({ _ in answer }) { service in
            let fixture = try WebPushFixture(at: service)
            #expect(try await fixture.send() == PushAnswer(.delivered, serviceID: "https://push.example.com/m/7"))
            await fixture.transport.close()
        }
    }

    @Test("A page's ended subscription is reported as gone", arguments: [404, 410])
    func gone(status: Int) async throws {
        let gone = LoopbackServer.Reply.status(status, "push subscription has\nunsubscribed\r\n")
        try await LocalPushService.run({ $0.target == "/p/1" ? gone : .status(201) }) { service in
            let fixture = try WebPushFixture(at: service)
            #expect(try await fixture.send().ending.wait == .seconds(60))
            #expect(try await fixture.send(endpoint: "https://push.example.com/p/2").ending == .delivered)
            fixture.time.advance(by: .seconds(60))
            #expect(
                try await fixture.send().ending
                    == .deviceGone(
                        reason: "the push service returned status \(status) (push subscription has unsubscribed): the "
                            + "page's subscription is no more", asOf: nil))
            await fixture.transport.close()
        }
    }

    @Test("A message that is itself at fault is refused without a retry", arguments: [400, 406, 413, 307, 301])
    func refused(status: Int) async throws {
        let ending = try await ending(.status(status, headers: ["Location": "https://a.b/"]))
        #expect(ending.name == "refused" && ending.reasonText.hasPrefix("the push service returned status \(status)"))
    }

    @Test(
        "A service's Retry-After is honoured",
        arguments: [
            (429, "120", Duration.seconds(120)), (503, "0", .seconds(0)),
            (503, "Tue, 14 Nov 2023 22:14:20 GMT", .seconds(60)), (429, "999999999", .seconds(86_400)),
        ])
    func patience(status: Int, text: String, pause: Duration) async throws {
        let ending = try await ending(.status(status, headers: ["Retry-After": text]))
        #expect(ending == .retry(after: pause, reason: "the push service returned status \(status)"))
    }

    @Test("A service that is in trouble is tried again", arguments: [500, 502, 503, 504, 429])
    func trouble(status: Int) async throws {
        #expect(
            try await ending(.status(status))
                == .retry(after: nil, reason: "the push service returned status \(status)"))
    }

    @Test("A token that is refused is tried once more with a new one")
    func freshToken() async throws {
        try await LocalPushService.run({ .status($0.number == 0 ? 401 : 201) }) { service in
            let fixture = try WebPushFixture(at: service)
            #expect(try await fixture.send().ending == .delivered)
            let tokens = service.requests.value.compactMap { $0.header("Authorization") }
            #expect(tokens.count == 2 && tokens[0] != tokens[1])
            await fixture.transport.close()
        }
    }

    @Test("A message waits while the service accepts no token, and the log says why", arguments: [401, 403])
    func credential(status: Int) async throws {
        try await LocalPushService.run({ _ in .status(status, "ExpiredJwtToken") }) { service in
            let fixture = try WebPushFixture(at: service)
            for _ in 1...5 {
                let ending = try await fixture.send().ending
                #expect(ending.name == "retry" && ending.wait == nil)
                #expect(ending.reasonText.contains("check the clock of this machine"))
            }
            let errors = fixture.log.messages(at: .error)
            #expect(errors.count == 1)
            #expect(errors.first?.hasPrefix("sending to Web Push through push.example.com") == true)
            await fixture.transport.close()
        }
    }

    @Test(
        "A page that subscribed with another key is not a bad token, and delays no other page",
        arguments: [
            (
                403,
                "the VAPID credentials in the authorization header do not correspond to the credentials used to create"
            ),
            (400, #"{"reason":"VapidPkHashMismatch"}"#),
        ])
    func otherKey(status: Int, words: String) async throws {
        try await LocalPushService.run({ _ in .status(status, words) }) { service in
            let fixture = try WebPushFixture(at: service)
            for _ in 1...6 {
                let ending = try await fixture.send().ending
                #expect(ending.name == "refused")
                #expect(ending.reasonText.contains("subscribed with another application server key"))
            }
            #expect(service.requests.value.count == 6)
            await fixture.transport.close()
        }
    }

    @Test("A service that is down is paused for a while, and others are not")
    func breaker() async throws {
        try await LocalPushService.run({ .status($0.target == "/down" ? 500 : 201) }) { service in
            let fixture = try WebPushFixture(at: service)
            for _ in 1...5 { _ = try await fixture.send(endpoint: "https://down.example.com/down") }
            #expect(
                try await fixture.send(endpoint: "https://down.example.com/down").ending
                    == .retry(after: .seconds(5), reason: "the push service returned status 500"))
            #expect(service.requests.value.count == 5)
            #expect(try await fixture.send().ending == .delivered)
            fixture.time.advance(by: .seconds(5))
            _ = try await fixture.send(endpoint: "https://down.example.com/down")
            #expect(service.requests.value.count == 7)
            await fixture.transport.close()
        }
    }

    @Test("A service that does not respond in time is retried later", .defaultTimeLimit)
    func silence() async throws {
        try await LocalPushService.run({ _ in .nothing }) { service in
            let fixture = try WebPushFixture(
                at: service, settings: WebPushFixture.settings(requestTimeout: .milliseconds(500)))
            #expect(
                try await fixture.send().ending
                    == .retry(after: nil, reason: "the push service did not respond within 0.5 s"))
            await fixture.transport.close()
        }
    }

    @Test("A service with an untrusted certificate receives no message")
    func certificate() async throws {
        try await LocalPushService.run { service in
            let time = ManualTime()
            let transport = try WebPushTransport(
                WebPushCredentials(key: VAPIDKey(), contact: "mailto:push@example.com"),
                TransportContext(
                    endpoint: ServiceEndpoint("https://localhost:\(service.port)"), time: time,
                    logger: LogRecorder().logger))
            let fixture = try WebPushFixture(at: service)
            let delivery = try Delivery(
                notificationID: UUID(), options: ["GCM": [:]],
                target: .registration(
                    DeviceRegistration(
                        applicationID: "App", deviceID: "d", platform: .web,
                        token: DeviceToken(fixture.browser.token(), platform: .web)), by: .device),
                createdAt: ManualTime.start, expiresAt: ManualTime.start + 60)
            let message = try OutgoingMessage(delivery, PushServiceSettings(), now: ManualTime.start)
            #expect(try await transport.send(WebPushChannel.requests(for: message)[0]).ending.name == "retry")
            #expect(service.requests.value.isEmpty)
            await transport.close()
            await fixture.transport.close()
        }
    }

    @Test("No log and no outcome contains a key, a token or an endpoint")
    func secrets() async throws {
        try await LocalPushService.run({ _ in .status(500) }) { service in
            let fixture = try WebPushFixture(at: service)
            var texts: [String] = []
            for _ in 1...6 {
                texts.append("\(try await fixture.send(endpoint: "https://push.example.com/secret").ending)")
            }
            texts += fixture.log.lines.value.map { "\($0)" }
            let secrets = ["/secret", Base64URL.encode(fixture.browser.auth), "vapid", "PRIVATE"]
            for secret in secrets { #expect(!texts.contains { $0.contains(secret) }) }
            await fixture.transport.close()
        }
    }

    @Test("refuses an unreadable trust root, and names the remedy")
    func badTrustRoot() throws {
        #expect {
            try WebPushTransport(
                WebPushCredentials(key: VAPIDKey(), contact: "mailto:push@example.com"),
                TransportContext(trustRoots: "/no/such/file", time: ManualTime(), logger: LogRecorder().logger))
        } throws: { error in
            "\(error)".contains("/no/such/file") && "\(error)".contains("expected a readable PEM file")
        }
    }
}
