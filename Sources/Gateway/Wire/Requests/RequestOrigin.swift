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
    /// Whether it was made on this machine, on its user's own account: nobody has passed it on, and no page from somewhere else
    /// that is open in a browser here has sent it.
    let isLocal: Bool

    /// - Parameter peer: the address that the connection comes from.
    init(of head: HTTPRequest, peer: String?, settings: InstallationSettings) {
        let address = peer.flatMap { IPAddress($0) }
        let ownScheme = settings.tls == nil ? "http" : "https"
        let ownHost = head.authority ?? "\(settings.host):\(settings.port)"
        isFromTrustedProxy = address.map(settings.trustedProxies.contains) ?? false
        isLocal =
            (address?.isLoopback ?? false) && !Self.wasPassedOn(head.headerFields)
            && Self.namesThisMachine(ownHost, as: settings.host) && !Self.isFromForeignPage(head)
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

    /// Whether the request is for this machine by a name that only it has. With another it comes from a page whose server's
    /// name was made to lead here (DNS rebinding), or through a proxy that leaves no mark.
    private static func namesThisMachine(_ authority: String, as ownName: String) -> Bool {
        let isBracketed = authority.hasPrefix("[")
        let host = authority.drop { $0 == "[" }.prefix { $0 != (isBracketed ? "]" : ":") }.lowercased()
        return host == "localhost" || host.hasSuffix(".localhost") || host == ownName.lowercased()
            || IPAddress(host) != nil
    }

    /// Whether a browser says that it sends this for a page of another server.
    private static func isFromForeignPage(_ head: HTTPRequest) -> Bool {
        if let site = head.headerFields[.fetchSite], site != "none", site != "same-origin" { return true }
        guard let origin = head.headerFields[.origin] else { return false }
        return origin.split(separator: "/").last.map(String.init) != head.authority
    }
}

extension HTTPField.Name {
    fileprivate static let fetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin
}
