import AsyncHTTPClient
public import Delivery
import Foundation
public import Logging
import NIOHTTP1
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
    /// For plain http, to the gateway or to the HTTP proxy, and through a SOCKS proxy for all.
    private let client: ServiceClient
    /// For https through an HTTP proxy.
    private let tunnel: ServiceClient?
    private let proxy: EgressProxy?

    /// - Parameters:
    ///   - gateways: of several with one id the last counts.
    ///   - endpoint: stands for the host of every gateway; nil = their own.
    ///   - trustRoots: a PEM file or PEM text with certificates that are trusted besides the system's.
    ///   - proxy: `push.sms.proxy.*` (server-api 5.4); nil = none.
    ///   - logger: hears of alarms (error).
    /// - Throws: ``CredentialError`` when the certificates cannot be read.
    public convenience init(
        gateways: [SMSGateway], endpoint: ServiceEndpoint? = nil, trustRoots: String? = nil, proxy: EgressProxy? = nil,
        time: any TimeSource, logger: Logger
    ) throws(CredentialError) {
        try self.init(
            gateways: gateways, endpoint: endpoint, trustRoots: trustRoots, proxy: proxy, time: time, logger: logger,
            settings: ServiceClient.Settings(connections: 8))
    }

    init(
        gateways: [SMSGateway], endpoint: ServiceEndpoint?, trustRoots: String?, proxy: EgressProxy?,
        time: any TimeSource, logger: Logger, settings: ServiceClient.Settings
    ) throws(CredentialError) {
        self.endpoint = endpoint
        self.time = time
        self.proxy = proxy
        var settings = settings
        settings.offersHTTP2 = false
        settings.prepareConnection = RequestTargetHandler.prepare
        let service = "the SMS gateway"
        let isHTTPProxy = proxy?.kind == .http
        client = try ServiceClient(
            service: service, settings: settings, trustRoots: trustRoots, proxy: isHTTPProxy ? nil : proxy)
        tunnel =
            isHTTPProxy
            ? try ServiceClient(service: service, settings: settings, trustRoots: trustRoots, proxy: proxy) : nil
        let all = gateways.map { gateway in
            let guardian = ServiceGuard(name: "the SMS gateway '\(gateway.id)'", time: time, logger: logger)
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
        do throws(ServiceFailure) {
            let answer = try await exchange(request, address)
            verdict = route.answers.verdict(answer, number: number, now: time.now)
        } catch {
            verdict = error.verdict()
        }
        return route.guardian.answer(verdict)
    }

    private func exchange(_ request: PushRequest, _ address: SMSAddress) async throws(ServiceFailure) -> ServiceAnswer {
        var outgoing = HTTPClientRequest(url: address.origin + "/")
        var target = address.target
        var client = client
        if let proxy, proxy.kind == .http {
            if address.isSecure {
                client = tunnel ?? client
            } else {
                // Many proxies let CONNECT through to 443 only, so plain requests go to the proxy itself.
                outgoing.url = "http://\(proxy.host.contains(":") ? "[\(proxy.host)]" : proxy.host):\(proxy.port)/"
                outgoing.headers.add(name: "Host", value: address.authority)
                target = address.origin + target
                if let login = proxy.login {
                    let text = Data("\(login.user):\(login.password)".utf8).base64EncodedString()
                    outgoing.headers.add(name: "Proxy-Authorization", value: "Basic \(text)")
                }
            }
        }
        outgoing.method = HTTPMethod(rawValue: request.method)
        for header in request.headers { outgoing.headers.add(name: header.name, value: header.value) }
        outgoing.headers.add(name: RequestTargetHandler.header, value: target)
        return try await client.send(outgoing)
    }

    public func close() async {
        await client.close()
        await tunnel?.close()
    }
}
