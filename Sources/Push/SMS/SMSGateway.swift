import Core
import PushModel

/// A gateway that sends text messages on an HTTP request: one `gateway` of `SMSConfig.xml` (server-api 2.9).
public struct SMSGateway: Sendable, Hashable {
    /// A `parameter`: what this gateway wants besides, for example an account and its password.
    public struct Parameter: Sendable, Hashable {
        public var name: String
        public var value: String
        /// Whether the value is still to be percent-encoded, the default.
        public var encode: Bool

        public init(name: String, value: String, encode: Bool = true) {
            self.name = name
            self.value = value
            self.encode = encode
        }
    }

    /// What subscriptions name it by.
    public var id: String
    public var hostname: String
    /// 80 unless set. At 443 the gateway is spoken to through TLS; the original had no setting for that.
    public var port: Int
    /// The path, with or without a `/` at its start.
    public var programName: String
    /// The parameter with the number; `to` unless set.
    public var toParamName: String
    /// The parameter with the text; `text` unless set.
    public var textParamName: String
    /// The parameter in which the gateway names the sender of a message that it *received*. Nothing that is sent has it.
    public var fromParamName: String?
    public var parameters: [Parameter]

    public init(
        id: String, hostname: String, port: Int = 80, programName: String = "", toParamName: String = "to",
        textParamName: String = "text", fromParamName: String? = nil, parameters: [Parameter] = []
    ) {
        self.id = id
        self.hostname = hostname
        self.port = port
        self.programName = programName
        self.toParamName = toParamName
        self.textParamName = textParamName
        self.fromParamName = fromParamName
        self.parameters = parameters
    }

    /// The whole address of a request: `url` and the gateway's own ``parameters``.
    ///
    /// These hold passwords, so no request that is recorded has them; the transport adds them when it sends.
    ///
    /// - Parameter url: of a request that ``PushRequestBuilder`` made for this gateway.
    public func addingParameters(to url: String) -> String {
        parameters.reduce(url) { url, parameter in
            let value = parameter.encode ? PercentEncoding.encode(parameter.value) : parameter.value
            return "\(url)&\(PercentEncoding.encode(parameter.name))=\(value)"
        }
    }

    /// The address with the number and the text, without the gateway's own parameters.
    func url(to number: String, text: String) -> String {
        let scheme = port == 443 ? "https" : "http"
        let portText = port == 80 || port == 443 ? "" : ":\(port)"
        let path = programName.drop { $0 == "/" }
        let query = [(toParamName, number), (textParamName, text)].map {
            "\(PercentEncoding.encode($0.0))=\(PercentEncoding.encode($0.1))"
        }.joined(separator: "&")
        return "\(scheme)://\(hostname)\(portText)/\(path)?\(query)"
    }
}

extension PushRequestBuilder {
    /// How long a text may be, in the units that JavaScript and Java count: UTF-16's.
    ///
    /// A longer text was "split or rejected", as the gateway was set up (API62, `notifyDevice`). It is refused here: with a
    /// text in several messages, an attempt that fails half-way would send and charge the first of them again.
    public static let longestSMSText = 160

    /// The request to the subscription's gateway, a GET with the number and the text in its query.
    func smsRequest(
        _ notification: PushNotification, to subscription: SMSSubscription
    ) throws(PushRequestError) -> PushRequest {
        guard let gateway = settings.smsGateways[subscription.gatewayID] else {
            let known = settings.smsGateways.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
            throw PushRequestError(
                """
                there is no SMS gateway '\(subscription.gatewayID)': expected \(known.isEmpty ? "one" : "one of \(known)") \
                of SMSConfig.xml, which \(known.isEmpty ? "has none" : "has these"); add it there
                """)
        }
        guard let text = notification.sms, !text.isEmpty else {
            throw PushRequestError("the notification has no SMS block with a text, which is what phone numbers receive")
        }
        let length = text.utf16.count
        guard length <= Self.longestSMSText else {
            throw PushRequestError(
                "SMS.text: expected at most \(Self.longestSMSText) characters, found \(length); shorten it or notify twice",
                isTooLarge: true)
        }
        return PushRequest(
            service: .sms, method: "GET", url: gateway.url(to: subscription.phoneNumber.dialled, text: text),
            headers: [], body: "")
    }
}
