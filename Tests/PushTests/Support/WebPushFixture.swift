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
    static func settings(requestTimeout: Duration = .noLimit) -> ServiceClient.Settings {
        ServiceClient.Settings(
            connectTimeout: .noLimit, requestTimeout: requestTimeout, trustsSystem: false,
            allows: PublicAddress.contains)
    }

    /// A transport that finds all services at `service`.
    init(
        at service: LoopbackServer, proxy: EgressProxy? = nil, settings: ServiceClient.Settings = settings()
    ) throws {
        try self.init(at: ServiceEndpoint("https://localhost:\(service.port)"), proxy: proxy, settings)
    }

    /// A transport for which the names of push.example.com and other.example.com lead to `addresses`.
    init(
        to addresses: [String], port: Int, allows: @escaping @Sendable ([UInt8]) -> Bool = PublicAddress.contains
    ) throws {
        var settings = Self.settings()
        settings.namesHosts = true
        settings.names = ["push", "other"].map { "\($0).example.com:\(port):\(addresses.joined(separator: ","))" }
        settings.allows = allows
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
        return try await transport.send(WebPushChannel.requests(for: message)[0])
    }
}
