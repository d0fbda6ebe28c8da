import Core
import Foundation
import PushModel
import PushSandbox
import Synchronization
import TestSupport
import Testing

@testable import Push

/// A transport that finds push-sandbox where push services would be.
private struct SandboxedWebPush {
    let sandbox: PushSandbox
    let transport: WebPushTransport
    let time: ManualTime

    static func run(
        fault: (@Sendable (SandboxRequest) -> SandboxFault?)? = nil, _ body: (Self) async throws -> Void
    ) async throws {
        let time = ManualTime()
        var settings = PushSandbox.Settings()
        settings.fault = fault
        settings.now = { time.now }
        let log = LogRecorder()
        let sandbox = try await PushSandbox.start(settings, logger: log.logger)
        let transport = try WebPushTransport(
            WebPushCredentials(key: VAPIDKey(), contact: "mailto:push@example.com"),
            TransportContext(
                endpoint: ServiceEndpoint("https://localhost:\(sandbox.httpPort)"),
                trustRoots: sandbox.rootCertificate, time: time, logger: log.logger),
            settings: WebPushFixture.settings())
        do {
            try await body(Self(sandbox: sandbox, transport: transport, time: time))
        } catch {
            await transport.close()
            await sandbox.stop()
            throw error
        }
        await transport.close()
        await sandbox.stop()
    }

    /// A browser whose page knows the service by a public name.
    func browser() -> WebPushSubscriber { sandbox.makeWebPushSubscriber(origin: "https://push.example.com") }

    func delivery(to browser: WebPushSubscriber, text: String = "Hello") throws -> Delivery {
        let token =
            #"{"endpoint":"\#(browser.endpoint)","keys":{"p256dh":"\#(browser.p256dh)","auth":"\#(browser.auth)"}}"#
        let subscription = DeviceSubscription(
            eventSource: EventSourceID(adapter: "A", name: "News"), userID: "ann", deviceID: browser.id,
            applicationID: "App", alias: "news", platform: .web, token: try DeviceToken(token, platform: .web),
            options: [:])
        return Delivery(
            notificationID: UUID(), options: ["GCM": ["alert": .string(text)]], subscription: subscription,
            createdAt: time.now, expiresAt: time.now + 3600)
    }

    func send(_ delivery: Delivery) async throws -> PushAnswer {
        let message = try OutgoingMessage(delivery, PushServiceSettings(), now: time.now)
        return try await transport.send(WebPushChannel.requests(for: message)[0])
    }
}

@Suite("Web Push through push-sandbox", .defaultTimeLimit)
struct WebPushSandboxTests {
    @Test("The sandbox, which checks tokens and decrypts, reads the message")
    func arrives() async throws {
        try await SandboxedWebPush.run { (web) async throws in
            let delivery = try web.delivery(to: web.browser(), text: "Grüße 👋")
            let answer = try await web.send(delivery)
            #expect(answer.ending == .delivered)
            let arrival = try #require(web.sandbox.arrivals(of: .webPush).first)
            #expect(arrival.isAccepted && arrival.id == answer.serviceID)
            let message = try JSONValue(parsing: String(decoding: arrival.body, as: UTF8.self))
            #expect(message["alert"] == "Grüße 👋" && message["id"]?.string == delivery.id.uuidString.lowercased())
        }
    }

    @Test("The longest message that is not refused before it is sent is taken")
    func longest() async throws {
        try await SandboxedWebPush.run { (web) async throws in
            let browser = web.browser()
            let frame = try PushRequestBuilder().requests(
                for: web.delivery(to: browser, text: ""), now: web.time.now)[0].body.utf8.count
            let text = String(repeating: "a", count: 3993 - frame)
            #expect(try await web.send(web.delivery(to: browser, text: text)).ending == .delivered)
        }
    }

    @Test("A browser that cancelled its subscription is gone")
    func gone() async throws {
        try await SandboxedWebPush.run { (web) async throws in
            let browser = web.browser()
            web.sandbox.removeWebPushSubscriber(browser)
            #expect(try await web.send(web.delivery(to: browser)).ending.wait == .seconds(60))
            #expect(try await web.send(web.delivery(to: web.browser())).ending == .delivered)
            web.time.advance(by: .seconds(60))
            #expect(try await web.send(web.delivery(to: browser)).ending.name == "gone")
        }
    }

    @Test("A token that has expired is replaced, and the message arrives")
    func expired() async throws {
        try await SandboxedWebPush.run(fault: { $0.sequence == 1 ? .expiredToken : nil }) { (web) async throws in
            #expect(try await web.send(web.delivery(to: web.browser())).ending == .delivered)
        }
    }

    @Test("Messages still arrive after the clock was set back a day")
    func clock() async throws {
        try await SandboxedWebPush.run { (web) async throws in
            let browser = web.browser()
            #expect(try await web.send(web.delivery(to: browser)).ending == .delivered)
            web.time.setClock(forwardBy: -86_400)
            #expect(try await web.send(web.delivery(to: browser)).ending == .delivered)
        }
    }

    @Test("A message whose response got lost is sent again, and can be recognised")
    func lostAnswer() async throws {
        try await SandboxedWebPush.run(fault: { $0.sequence == 1 ? .resetAfterAccepting : nil }) { (web) async throws in
            let delivery = try web.delivery(to: web.browser())
            #expect(try await web.send(delivery).ending.name == "retry")
            #expect(try await web.send(delivery).ending == .delivered)
            let arrivals = web.sandbox.arrivals(of: .webPush)
            try #require(arrivals.count == 2 && arrivals.allSatisfy(\.isAccepted))
            #expect(Set(arrivals.map { $0.header("Topic") }).count == 1)
            #expect(arrivals[0].body == arrivals[1].body)
        }
    }

    @Test("None of 60 messages on bad days is lost")
    func badDays() async throws {
        let fault: @Sendable (SandboxRequest) -> SandboxFault? = { request in
            switch request.sequence % 12 {
            case 1: .status(429, reason: "slow down", retryAfter: 1)
            case 3: .status(503, reason: "busy")
            case 5: .reset
            case 7: .closeConnection
            case 9: .resetAfterAccepting
            case 11: .expiredToken
            default: nil
            }
        }
        try await SandboxedWebPush.run(fault: fault) { (web) async throws in
            let browsers = (0..<60).map { _ in web.browser() }
            var waiting = try browsers.map { try web.delivery(to: $0) }
            // As a worker does: all that are due at once, then a pause as long as was asked for.
            for _ in 1...100 where !waiting.isEmpty {
                waiting = try await withThrowingTaskGroup(of: Delivery?.self) { group in
                    for delivery in waiting {
                        group.addTask {
                            switch try await web.send(delivery).ending {
                            case .delivered: return nil
                            case .retry: return delivery
                            case let other:
                                Issue.record("\(other)")
                                return nil
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
                }
                web.time.advance(by: .seconds(300))
            }
            #expect(waiting.isEmpty)
            let arrived = web.sandbox.arrivals(of: .webPush).filter(\.isAccepted).compactMap(\.token)
            #expect(Set(arrived) == Set(browsers.map(\.id)))
        }
    }
}
