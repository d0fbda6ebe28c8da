public import Core
import HTTPTransfer
public import Logging
public import PushModel

/// Sends text messages through the gateways of `SMSConfig.xml` (server-api 2.9), each by a GET.
public final class SMSTransport: PushTransport {
    private struct Route: Sendable {
        let gateway: SMSGateway
        let guardian: ServiceGuard
        let answers: SMSAnswers
    }

    private let routes: [String: Route]
    private let endpoint: ServiceEndpoint?
    private let time: any TimeSource
    private let client: ServiceClient

    /// - Parameters:
    ///   - gateways: of several with one id the last counts.
    ///   - endpoint: stands for the host of every gateway; nil = their own.
    ///   - trustRoots: a PEM file or PEM text with certificates that are trusted besides the system's.
    ///   - proxy: `push.sms.proxy.*` (server-api 5.4); nil = none.
    ///   - logger: gets alarms (error).
    /// - Throws: ``CredentialError`` when the certificates cannot be read.
    public convenience init(
        gateways: [SMSGateway], endpoint: ServiceEndpoint? = nil, trustRoots: String? = nil, proxy: EgressProxy? = nil,
        time: any TimeSource, logger: Logger, guards: GuardCounters = .none
    ) throws(CredentialError) {
        try self.init(
            gateways: gateways, endpoint: endpoint, trustRoots: trustRoots, proxy: proxy, time: time, logger: logger,
            guards: guards, settings: ServiceClient.Settings(connections: 8))
    }

    init(
        gateways: [SMSGateway], endpoint: ServiceEndpoint?, trustRoots: String?, proxy: EgressProxy?,
        time: any TimeSource, logger: Logger, guards: GuardCounters = .none, settings: ServiceClient.Settings
    ) throws(CredentialError) {
        self.endpoint = endpoint
        self.time = time
        var settings = settings
        settings.offersHTTP2 = false
        client = try ServiceClient(
            service: "the SMS gateway", settings: settings, trustRoots: trustRoots, proxy: proxy, time: time,
            logger: logger)
        let all = gateways.map { gateway in
            let guardian = ServiceGuard(
                name: "the SMS gateway '\(gateway.id)'", time: time, logger: logger, guards: guards)
            return (gateway.id, Route(gateway: gateway, guardian: guardian, answers: SMSAnswers(gateway: gateway)))
        }
        routes = Dictionary(all) { _, last in last }
    }

    public func send(_ request: PushRequest, for delivery: Delivery) async -> PushAnswer {
        guard case .sms(let subscription) = delivery.target, let route = routes[subscription.gatewayID] else {
            return PushAnswer(.refused(reason: "a text message must go to one of the gateways of SMSConfig.xml"))
        }
        let number = subscription.phoneNumber.dialled
        let url = route.gateway.addingParameters(to: request.url)
        guard let address = SMSAddress(endpoint?.replacingOrigin(of: url) ?? url) else {
            return PushAnswer(
                .refused(
                    reason:
                        "the SMS gateway '\(route.gateway.id)' has no usable address; correct its hostname and port "
                        + "in SMSConfig.xml"))
        }
        if let held = route.guardian.held() { return held }
        let verdict: ServiceVerdict
        do throws(ServiceRequestError) {
            let answer = try await exchange(request, address.url)
            verdict = route.answers.verdict(answer, number: number, now: time.now)
        } catch {
            verdict = error.verdict()
        }
        return route.guardian.answer(verdict)
    }

    private func exchange(_ request: PushRequest, _ url: String) async throws(ServiceRequestError) -> ServiceAnswer {
        try await client.send(
            TransferRequest(request.method, url: url, headers: request.headers.map { ($0.name, $0.value) }))
    }

    public func close() async {
        await client.close()
    }
}

/// The address of one request to a gateway, taken apart.
struct SMSAddress: Hashable {
    let isSecure: Bool
    /// As in a URL: IPv6 addresses stand in brackets, and the port only where it is not the usual one.
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

    /// What cannot stand in a request line is percent-encoded, also in parameters that are said to be encoded already; all
    /// else stays.
    private static func sendable(_ text: String) -> String {
        PercentEncoding.encode(text) { PercentEncoding.isVisible($0) && $0 != UInt8(ascii: "#") }
    }
}
