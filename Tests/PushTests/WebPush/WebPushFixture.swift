import Core
import Foundation
import Logging
import PushModel
import TestSupport

@testable import Push

/// A transport, and messages to one page.
struct WebPushFixture {
    let browser = BrowserDouble()
    let time: ManualTime
    let log = LogRecorder()
    let key = VAPIDKey()
    let transport: WebPushTransport

    /// With limits that only a fault reaches: a busy machine takes more than ten seconds to connect.
    static func settings(requestTimeout: Duration = .seconds(240)) -> ServiceClient.Settings {
        ServiceClient.Settings(
            connectTimeout: .seconds(240), requestTimeout: requestTimeout, trustsSystem: false,
            addresses: AddressCheck())
    }

    /// A transport that finds all services at `service`.
    init(
        at service: LoopbackServer, proxy: EgressProxy? = nil, settings: ServiceClient.Settings = settings()
    ) throws {
        try self.init(at: ServiceEndpoint("https://localhost:\(service.port)"), proxy: proxy, settings)
    }

    /// A transport that looks names up by `lookup` and takes those addresses that `check` lets through.
    init(
        hosts: Int = 64, lookup: @escaping @Sendable (String) async throws -> [[UInt8]],
        check: @escaping @Sendable ([UInt8]) -> PublicAddress? = { PublicAddress($0) }
    ) throws {
        var settings = Self.settings()
        settings.hosts = hosts
        settings.addresses = AddressCheck(system: lookup, check: check)
        try self.init(settings)
    }

    init(
        at endpoint: ServiceEndpoint? = nil, proxy: EgressProxy? = nil, _ settings: ServiceClient.Settings
    ) throws {
        time = ManualTime()
        transport = try WebPushTransport(
            WebPushCredentials(key: key, contact: "mailto:push@example.com"),
            TransportContext(
                endpoint: endpoint, trustRoots: WebPushServiceCertificate.certificate, proxy: proxy, time: time,
                logger: log.logger), settings: settings)
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
        let message = try OutgoingMessage(delivery, PushServiceSettings(), now: ManualTime.start)
        return try await transport.send(message.webPushRequest())
    }
}
