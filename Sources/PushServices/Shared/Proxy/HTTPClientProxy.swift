import AsyncHTTPClient
import NIOCore

/// How AsyncHTTPClient gets through a proxy: by itself, or, where it knows no login, through a relay of ours.
struct HTTPClientProxy: Sendable {
    let configuration: HTTPClient.Configuration.Proxy?
    /// How the proxy is named in messages; no secret.
    let name: String?
    private let relay: SOCKSLoginRelay?

    /// - Parameter proxy: `nil` for none.
    /// - Throws: ``CredentialError`` when the login is too long for SOCKS, or there is no port for the relay.
    init(_ proxy: EgressProxy?, group: any EventLoopGroup) throws(CredentialError) {
        name = proxy.map { "the \($0.kind.rawValue) proxy \($0.host):\($0.port)" }
        guard let proxy else {
            (configuration, relay) = (nil, nil)
            return
        }
        switch (proxy.kind, proxy.login) {
        case (.http, let login):
            relay = nil
            configuration = .server(
                host: proxy.host, port: proxy.port,
                authorization: login.map { .basic(username: $0.user, password: $0.password) })
        case (.socks, nil):
            relay = nil
            configuration = .socksServer(host: proxy.host, port: proxy.port)
        case (.socks, .some):
            let relay = try SOCKSLoginRelay(to: proxy, group: group)
            self.relay = relay
            configuration = .server(
                host: relay.host, port: relay.port,
                authorization: .basic(username: SOCKSLoginRelay.user, password: relay.password))
        }
    }

    /// Why the proxy did not let a request through; `nil` when that is not what the error says.
    ///
    /// - Parameter service: whom the request was for.
    func failure(_ error: any Error, to service: String) -> ServiceFailure? {
        guard let name else { return nil }
        switch error as? HTTPClientError {
        case .proxyAuthenticationRequired:
            return ServiceFailure(
                kind: .proxyLogin, reason: "\(name) refuses the login; correct the proxy's user and password")
        case .invalidProxyResponse:
            return ServiceFailure(
                kind: .unreachable,
                reason: "\(name) does not connect to \(service)"
                    + (relay?.lastRefusal.map { ": \(ServiceWords($0))" } ?? ""))
        default: return nil
        }
    }

    /// Takes no more connections. Those that there are end with the client's.
    func close() async {
        await relay?.close()
    }
}
