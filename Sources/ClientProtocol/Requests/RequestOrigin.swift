import Core
import Credentials
import HTTPServer
import HTTPTypes
import Installation

/// Where a request comes from, as far as it can be believed.
package struct RequestOrigin: Sendable {
    /// The client's address: the peer's, or what trusted proxies say it is.
    package let address: String
    /// `http` or `https`, as the client sees it.
    let scheme: String
    /// With the port, as the client sees it.
    let host: String
    /// Whether the peer is trusted to say such things.
    let isFromTrustedProxy: Bool
    /// The key of rate limits on guesses: the client's address or /64 network, also on this machine.
    let rateLimitKey: String
    private let request: Request
    /// The header in which the peer, a trusted proxy, passes the client's certificate.
    private let certificateHeader: HTTPField.Name?
    /// The host that the request is for, as the peer sees it.
    private let ownHost: String

    init(of request: Request, at installation: Installation) {
        // Not kept in a variable: the settings are many, and a copy counts the references to each.
        let (head, peer) = (request.head, request.peer)
        let address = peer.flatMap { IPAddress($0) }
        let ownScheme = installation.settings.tls == nil ? "http" : "https"
        let ownHost = head.authority ?? "\(installation.settings.host):\(installation.settings.port)"
        isFromTrustedProxy = address.map(installation.settings.trustedProxies.contains) ?? false
        self.request = request
        self.ownHost = ownHost
        if isFromTrustedProxy {
            let client = ClientAddress.resolve(
                remote: peer, headers: head.headerFields, trusting: installation.settings.trustedProxies)
            (self.address, scheme, host) = (client.address, client.scheme ?? ownScheme, client.host ?? ownHost)
            certificateHeader = installation.settings.clientCertificateHeader
        } else {
            (self.address, scheme, host) = (peer ?? "unknown", ownScheme, ownHost)
            certificateHeader = nil
        }
        let client = self.address == peer ? address : IPAddress(self.address)
        rateLimitKey = client.map { ClientNetwork($0).description } ?? self.address
    }

    /// The client's verified certificate. Of a trusted proxy's connection it is the one in the header: the connection's own is the
    /// proxy's.
    var clientCertificate: ClientCertificate? {
        guard isFromTrustedProxy else { return request.clientCertificate.flatMap { ClientCertificate(der: $0) } }
        return certificateHeader.flatMap { request.headers.value(of: $0) }.flatMap { ClientCertificate(header: $0) }
    }

    /// Whose requests count together where something is limited for each address; `nil` for this machine, whose programs are not
    /// limited, and for addresses that cannot be read.
    var network: String? {
        guard let address = IPAddress(address), !address.isLoopback else { return nil }
        return ClientNetwork(address).description
    }

    /// Whether the request was made on this machine: both ends of the connection are loopback addresses, it is for this machine by
    /// a name that only this machine has, and no page of another site sent it.
    ///
    /// A proxy on this machine that is not in `trustedProxies` looks like a local program.
    var isLocal: Bool {
        isWithinMachine && Self.namesThisMachine(request.head.authority)
            && !PageOrigin(of: request.head, for: ownHost).isForeign
    }

    /// Whether both ends of the connection are loopback addresses, and so is the client that a trusted proxy names.
    private var isWithinMachine: Bool {
        [request.peer, request.local, address].allSatisfy { $0.flatMap { IPAddress($0) }?.isLoopback ?? false }
    }

    /// Whether the request is for this machine by a name that only it has: `localhost`, an address of `127.0.0.0/8`, or `[::1]`.
    /// With another name it comes from a page whose server's name was made to lead here (DNS rebinding), or through a proxy.
    private static func namesThisMachine(_ authority: String?) -> Bool {
        guard let authority, let host = Authority(authority)?.host else { return false }
        return host.lowercased() == "localhost" || IPAddress(host)?.isLoopback ?? false
    }
}
