import Delivery
import Foundation
import Logging
import PushModel
import TestSupport

@testable import PushServices

/// A transport, and messages to one page.
struct WebPushFixture {
    let browser = BrowserDouble()
    let time: ManualTime
    let log = LogRecorder()
    let key = VAPIDKey()
    let transport: WebPushTransport

    /// A limit that only a fault reaches: a busy machine takes more than ten seconds to connect.
    private static let patience = Duration.seconds(240)

    /// A transport that finds all services at `service`.
    init(at service: LoopbackServer, proxy: EgressProxy? = nil, time: ManualTime = ManualTime()) throws {
        self.time = time
        let destination = try WebPushDestination(
            endpoint: ServiceEndpoint("https://localhost:\(service.port)"),
            trustRoots: WebPushServiceCertificate.certificate, proxy: proxy, trustsSystem: false,
            connectTimeout: Self.patience)
        transport = WebPushTransport(
            credentials: try WebPushCredentials(key: key, contact: "mailto:push@example.com"), destination: destination,
            routes: WebPushRoutes(destination, time: time), time: time, logger: log.logger)
    }

    /// A transport that looks names up by `lookup` and takes those addresses that `check` lets through.
    init(
        most: Int = 64, lookup: @escaping HostLookup,
        check: @escaping @Sendable ([UInt8]) -> PublicAddress? = { PublicAddress($0) }
    ) throws {
        time = ManualTime()
        let destination = try WebPushDestination(
            endpoint: nil, trustRoots: WebPushServiceCertificate.certificate, proxy: nil, trustsSystem: false,
            connectTimeout: Self.patience)
        transport = WebPushTransport(
            credentials: try WebPushCredentials(key: key, contact: "mailto:push@example.com"), destination: destination,
            routes: WebPushRoutes(destination, time: time, most: most, lookup: lookup, check: check), time: time,
            logger: log.logger
        )
    }

    func send(_ options: JSONValue = ["GCM": ["alert": "Hello"]], endpoint: String = "https://push.example.com/p/1")
        async throws -> PushAnswer
    {
        let subscription = DeviceSubscription(
            eventSource: EventSourceID(adapter: "A", name: "News"), userID: "ann", deviceID: "web-1",
            applicationID: "App", alias: "news", platform: .web,
            token: try DeviceToken(browser.token(endpoint), platform: .web), options: [:])
        let delivery = Delivery(
            notificationID: UUID(), options: options, subscription: subscription, createdAt: ManualTime.start,
            expiresAt: ManualTime.start + 3600)
        let requests = try PushRequestBuilder().requests(for: delivery, now: ManualTime.start)
        return await transport.send(requests[0], for: delivery)
    }
}
