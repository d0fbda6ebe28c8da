import Core
import Credentials
package import HTTPServer
import HTTPTypes
package import Installation
import NIOCore

/// A request with its origin, which comes from trusted sources only.
package final class IncomingRequest: Sendable {
    let request: Request
    /// The fields of the query and of the body.
    let fields: FormFields
    /// The called procedure, by the path or by fields; empty strings if there is none.
    let adapter: String
    let procedure: String
    /// The procedure's parameters, as they came; an empty array where none did.
    let parameters: String
    /// The client's address: the peer's, or what trusted proxies say it is.
    package let address: String
    /// `http` or `https`, as the client sees it.
    let scheme: String
    /// With the port, as the client sees it.
    let host: String
    /// True if the peer is a trusted proxy.
    let isFromTrustedProxy: Bool
    /// The key of rate limits on guesses: the client's address or /64 network, also on this machine.
    let rateLimitKey: String
    /// The header in which the peer, a trusted proxy, passes the client's certificate.
    private let certificateHeader: HTTPField.Name?
    /// The host that the request is for, as the peer sees it.
    private let ownHost: String

    /// Reads a request; a long form on another thread than an event loop's.
    package static func reading(
        _ request: Request, for path: ClientProtocolPath, _ installation: Installation
    ) async -> IncomingRequest {
        guard ThreadPool.isLong(request.body.readableBytes) else { return IncomingRequest(request, path, installation) }
        return await ThreadPool.shared.run { IncomingRequest(request, path, installation) }
    }

    /// The same request with other fields.
    init(_ call: IncomingRequest, fields: FormFields) {
        (request, self.fields, address, scheme, host) = (call.request, fields, call.address, call.scheme, call.host)
        (adapter, procedure, parameters) = (call.adapter, call.procedure, call.parameters)
        (isFromTrustedProxy, rateLimitKey) = (call.isFromTrustedProxy, call.rateLimitKey)
        (certificateHeader, ownHost) = (call.certificateHeader, call.ownHost)
    }

    private init(_ request: Request, _ path: ClientProtocolPath, _ installation: Installation) {
        // Not kept in a variable: the settings are many, and a copy counts the references to each.
        let (head, peer) = (request.head, request.peer)
        let peerAddress = peer.flatMap { IPAddress($0) }
        let ownScheme = installation.settings.tls == nil ? "http" : "https"
        let ownHost = head.authority ?? "\(installation.settings.host):\(installation.settings.port)"
        let isFromTrustedProxy = peerAddress.map(installation.settings.trustedProxies.contains) ?? false
        let address: String
        if isFromTrustedProxy {
            let client = ClientAddress.resolve(
                remote: peer, headers: head.headerFields, trusting: installation.settings.trustedProxies)
            address = client.address
            (scheme, host) = (client.scheme ?? ownScheme, client.host ?? ownHost)
            certificateHeader = installation.settings.clientCertificateHeader
        } else {
            address = peer ?? "unknown"
            (scheme, host) = (ownScheme, ownHost)
            certificateHeader = nil
        }
        let client = address == peer ? peerAddress : IPAddress(address)
        rateLimitKey = client.map { ClientNetwork($0).description } ?? address
        (self.request, self.address, self.ownHost) = (request, address, ownHost)
        self.isFromTrustedProxy = isFromTrustedProxy
        var fields = FormFields(request.query.map(String.init) ?? "")
        let type = request.headers.value(of: .contentType) ?? ""
        if request.method == .post, type.isEmpty || type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
            fields.add(String(buffer: request.body))
        }
        self.fields = fields
        if case .adapter(let adapter, let procedure) = path {
            (self.adapter, self.procedure, parameters) = (adapter, procedure, fields["params"] ?? "[]")
        } else {
            (adapter, procedure) = (fields["adapter"] ?? "", fields["procedure"] ?? "")
            parameters = fields["parameters"] ?? "[]"
        }
    }

    var body: ByteBuffer { request.body }

    /// The version that the application says it has; `nil` when it says none.
    var appVersion: String? { request.headers.value(of: .appVersion).flatMap { $0.isEmpty ? nil : $0 } }

    /// The client's verified certificate. Of a trusted proxy's connection it is the one in the header: the connection's own is the
    /// proxy's.
    var clientCertificate: ClientCertificate? {
        guard isFromTrustedProxy else { return request.clientCertificate.flatMap { ClientCertificate(der: $0) } }
        return certificateHeader.flatMap { request.headers.value(of: $0) }.flatMap { ClientCertificate(header: $0) }
    }

    /// The network whose requests count together for limits by address; `nil` for this machine, whose programs are not limited, and for invalid
    /// addresses.
    var network: String? {
        guard let address = IPAddress(address), !address.isLoopback else { return nil }
        return ClientNetwork(address).description
    }

    /// True if the request was made on this machine: both ends of the connection are loopback addresses, it is for this machine by a name that only
    /// this machine has, and no page of another site sent it.
    ///
    /// A proxy on this machine that is not in `trustedProxies` looks like a local program.
    var isLocal: Bool {
        isWithinMachine && Self.namesThisMachine(request.head.authority)
            && !PageOrigin(of: request.head, for: ownHost).isForeign
    }

    /// True if both ends of the connection are loopback addresses, and so is the client that a trusted proxy names.
    private var isWithinMachine: Bool {
        [request.peer, request.local, address].allSatisfy { $0.flatMap { IPAddress($0) }?.isLoopback ?? false }
    }

    /// Returns true if the request is for this machine by a name that only it has: `localhost`, an address of `127.0.0.0/8`, or `[::1]`. With another
    /// name it comes from a page whose server's name was made to lead here (DNS rebinding), or through a proxy.
    private static func namesThisMachine(_ authority: String?) -> Bool {
        guard let authority, let host = Authority(authority)?.host else { return false }
        return host.lowercased() == "localhost" || IPAddress(host)?.isLoopback ?? false
    }
}
