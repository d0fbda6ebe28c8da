import Core
import PushModel

/// A gateway that sends text messages on an HTTP request: one `gateway` of `SMSConfig.xml` (server-api 2.9).
public struct SMSGateway: Sendable, Hashable {
    /// A `parameter` that this gateway requires in addition, for example an account or its password.
    public struct Parameter: Sendable, Hashable {
        public var name: String
        public var value: String
        /// True if the value must be percent-encoded, the default.
        public var encode: Bool

        public init(name: String, value: String, encode: Bool = true) {
            self.name = name
            self.value = value
            self.encode = encode
        }
    }

    /// The id by which subscriptions name the gateway.
    public var id: String
    public var hostname: String
    /// 80 unless set. At 443 the gateway is spoken to through TLS; the original had no setting for that.
    public var port: Int
    /// The path, with or without a `/` at its start.
    public var programName: String
    /// The parameter with the number; `to` unless set.
    public var toParamName: String
    /// The name of the parameter with the message; `text` unless set.
    public var textParamName: String
    public var parameters: [Parameter]

    public init(
        id: String, hostname: String, port: Int = 80, programName: String = "", toParamName: String = "to",
        textParamName: String = "text", parameters: [Parameter] = []
    ) {
        self.id = id
        self.hostname = hostname
        self.port = port
        self.programName = programName
        self.toParamName = toParamName
        self.textParamName = textParamName
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

    /// Returns the address with the number and the message, without the gateway's own parameters.
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
