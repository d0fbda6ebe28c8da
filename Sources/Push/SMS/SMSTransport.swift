import Core
import HTTPTransfer
import PushModel

/// Sends text messages through the gateways of `SMSConfig.xml` (server-api 2.9), each by a GET.
final class SMSTransport: PushTransport {
    typealias Channel = SMSChannel

    /// The guards, keyed by gateway id.
    private let guardians: [String: ServiceGuard]
    private let context: TransportContext
    private let client: ServiceClient

    /// - Throws: ``CredentialError`` when the certificates cannot be read.
    init(
        _ gateways: [SMSGateway], _ context: TransportContext,
        settings: ServiceClient.Settings = ServiceClient.Settings(connections: 8)
    ) throws(CredentialError) {
        self.context = context
        var settings = settings
        settings.offersHTTP2 = false
        client = try ServiceClient(service: "the SMS gateway", settings: settings, context)
        let all = gateways.map { ($0.id, ServiceGuard(name: "the SMS gateway '\($0.id)'", context)) }
        guardians = Dictionary(all) { _, last in last }
    }

    func send(_ request: SMSRequest) async -> PushAnswer {
        let gateway = request.gateway
        guard let guardian = guardians[gateway.id] else {
            return PushAnswer(.refused(reason: "a text message must go to one of the gateways of SMSConfig.xml"))
        }
        let url = gateway.addingParameters(to: gateway.url(to: request.number, text: request.text))
        guard let address = SMSAddress(context.endpoint?.replacingOrigin(of: url) ?? url) else {
            return PushAnswer(
                .refused(
                    reason:
                        "the SMS gateway '\(gateway.id)' has no usable address; correct its hostname and port "
                        + "in SMSConfig.xml"))
        }
        if let held = guardian.breaker.held() { return held }
        let verdict: ServiceVerdict
        do throws(ServiceRequestError) {
            let answer = try await client.send(TransferRequest("GET", url: address.url))
            verdict = SMSAnswers(gateway: gateway).verdict(answer, number: request.number, now: context.time.now)
        } catch {
            verdict = error.verdict()
        }
        return guardian.answer(verdict)
    }

    func close() async {
        await client.close()
    }
}

/// The address of one request to a gateway, taken apart.
struct SMSAddress: Hashable {
    let isSecure: Bool
    /// The authority of the URL: IPv6 addresses in brackets, and the port only if it is not the default.
    let authority: String
    /// Path and query, byte for byte.
    let target: String

    /// - Returns: nil when it is not an http or https address with a host.
    init?(_ url: String) {
        let scheme = ["https://", "http://"].first { url.hasPrefix($0) }
        guard let scheme else { return nil }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        guard !authority.isEmpty, !authority.contains("@"), authority.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        isSecure = scheme == "https://"
        self.authority = String(authority)
        let path = rest[authority.endIndex...]
        target = Self.sendable(path.hasPrefix("/") ? String(path) : "/" + path)
    }

    var url: String { "\(isSecure ? "https" : "http")://\(authority)\(target)" }

    /// Returns the string with characters that a request line cannot contain percent-encoded, also in parameters whose value is declared as encoded;
    /// all other characters stay.
    private static func sendable(_ text: String) -> String {
        PercentEncoding.encode(text) { PercentEncoding.isVisible($0) && $0 != UInt8(ascii: "#") }
    }
}
