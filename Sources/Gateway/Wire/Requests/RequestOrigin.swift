import HTTPTypes
import Hummingbird
import Transport

/// Where a request comes from, as far as it can be believed.
struct RequestOrigin: Sendable {
    /// The client's address: the peer's, or what trusted proxies say it is.
    let address: String
    /// `http` or `https`, as the client sees it.
    let scheme: String
    /// With the port, as the client sees it.
    let host: String
    /// Whether the peer is trusted to say such things.
    let isFromTrustedProxy: Bool
    /// Whether it was made on this machine, and nobody has passed it on.
    let isLocal: Bool

    /// - Parameter peer: the address that the connection comes from.
    init(of head: HTTPRequest, peer: String?, settings: InstallationSettings) {
        let address = peer.flatMap { IPAddress($0) }
        let ownScheme = settings.tls == nil ? "http" : "https"
        let ownHost = head.authority ?? "\(settings.host):\(settings.port)"
        isFromTrustedProxy = address.map(settings.trustedProxies.contains) ?? false
        isLocal = (address?.isLoopback ?? false) && !Self.wasPassedOn(head.headerFields)
        guard isFromTrustedProxy else {
            (self.address, scheme, host) = (peer ?? "unknown", ownScheme, ownHost)
            return
        }
        let client = ClientAddress.resolve(
            remote: peer, headers: head.headerFields, trusting: settings.trustedProxies)
        (self.address, scheme, host) = (client.address, client.scheme ?? ownScheme, client.host ?? ownHost)
    }

    /// Whether a proxy has left its mark, one that may well run on this machine.
    private static func wasPassedOn(_ headers: HTTPFields) -> Bool {
        headers.contains { field in
            let name = field.name.canonicalName
            return name == "forwarded" || name == "via" || name == "x-real-ip" || name.hasPrefix("x-forwarded-")
        }
    }
}
