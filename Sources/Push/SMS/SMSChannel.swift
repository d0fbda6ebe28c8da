import PushModel

/// Text messages to phone numbers, through the gateways of `SMSConfig.xml` (server-api 2.9).
enum SMSChannel: PushChannel {
    static let service = PushService.sms
    static let serves = DeliveryChannel.sms
    static let needsCredentials = false

    static let settings: [PushSetting] = [
        .endpoint("sms.endpoint", of: \.smsEndpoint)
    ]

    static func requests(for message: OutgoingMessage) throws(PushRequestError) -> [SMSRequest] {
        guard case .sms(let subscription) = message.delivery.target else {
            throw PushRequestError("a text message must go to a phone number")
        }
        if let problem = message.notification.problems[.sms] {
            throw PushRequestError.malformed(problem, in: message.delivery)
        }
        guard let gateway = message.settings.smsGateways[subscription.gatewayID] else {
            let known = message.settings.smsGateways.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
            throw PushRequestError(
                """
                there is no SMS gateway '\(subscription.gatewayID)': expected \(known.isEmpty ? "one" : "one of \(known)") \
                of SMSConfig.xml, which \(known.isEmpty ? "has none" : "has these"); add it there
                """)
        }
        guard let text = message.notification.sms, !text.isEmpty else {
            throw PushRequestError("the notification has no 'SMS.text', the message for phone numbers")
        }
        let length = text.utf16.count
        guard length <= PushRequestBuilder.longestSMSText else {
            throw PushRequestError(
                "SMS.text: expected at most \(PushRequestBuilder.longestSMSText) characters, found \(length); shorten it or notify twice",
                isTooLarge: true)
        }
        return [SMSRequest(gateway: gateway, number: subscription.phoneNumber.dialled, text: text)]
    }

    /// Gateways need only their parameters as credentials. In development no text message is sent, because messages cost money,
    /// unless the setting replaces the gateways by a simulation.
    static func plan(_ plan: inout PushPlan) {
        let gateways = plan.settings.smsGateways.values.sorted { $0.id < $1.id }
        let endpoint = plan.push.credentials.smsEndpoint
        guard !gateways.isEmpty, plan.isProduction || endpoint != nil else { return }
        plan.senders[.init(service: service)] = SMSSender(gateways: gateways, endpoint: endpoint)
    }
}

/// A GET with the number and the message in its query.
struct SMSRequest: ChannelRequest {
    let gateway: SMSGateway
    let number: String
    let text: String

    /// Without the gateway's own parameters, which may be secret.
    var record: PushRequest {
        PushRequest(service: .sms, method: "GET", url: gateway.url(to: number, text: text), headers: [], body: "")
    }
}

/// The gateways, which need no credentials but their own parameters.
private struct SMSSender: PushSender {
    let gateways: [SMSGateway]
    let endpoint: ServiceEndpoint?

    var name: String {
        "gateway\(gateways.count == 1 ? "" : "s") \(gateways.map(\.id).joined(separator: ", "))"
    }

    func connect(_ context: inout PushConnectionContext) throws -> any PushTransport {
        try SMSTransport(gateways, context.transport(at: endpoint, proxy: "sms"))
    }
}

extension PushRequestBuilder {
    /// The longest SMS message, in UTF-16 code units, which JavaScript and Java count.
    ///
    /// A longer message was "split or rejected", as the gateway was set up (API62, `notifyDevice`). It is refused here: if one message became
    /// several, an attempt that fails half-way would send and charge the first of them again.
    public static let longestSMSText = 160
}
