import PushModel

/// The push services of browsers, for pages.
enum WebPushChannel: PushChannel {
    static let service = PushService.webPush
    static let serves = DeliveryChannel.devices(.web)
    static let needsCredentials = false
    /// The largest message: every push service takes 4,096 bytes, of which encryption needs 103 (RFC 8291, section 4).
    static let sizeLimit = SizeLimit(service: service, bytes: 3993)

    static let settings: [PushSetting] = [
        .text("webPush.contact", "mailto: and an address, or an https: address", of: \.webPush.contact) {
            $0.wholeMatch(of: /mailto:[^ ]+@[^ ]+|https:\/\/[^ ]+/) != nil
        },
        .endpoint("webPush.endpoint", of: \.webPush.endpoint),
    ]

    static func plan(_ plan: inout PushPlan) {
        let given = plan.push.credentials.webPush
        guard let contact = given.contact else { return }
        plan.senders[.init(service: service)] = WebPushSender(contact: contact, endpoint: given.endpoint)
    }
}

/// The contact that the push services of browsers may write to; the key is the server's.
private struct WebPushSender: PushSender {
    let contact: String
    let endpoint: ServiceEndpoint?

    var name: String { "as \(contact)" }

    func connect(_ context: inout PushConnectionContext) throws -> any PushTransport {
        try WebPushTransport(
            WebPushCredentials(key: context.webPushKey, contact: contact), context.transport(at: endpoint))
    }
}

extension PushCredentialSettings {
    /// The operator's settings for Web Push.
    public struct WebPush: Sendable, Hashable {
        /// The contact address for push services: `mailto:` or `https:`.
        public var contact: String?
        public var endpoint: ServiceEndpoint?
    }
}
