public import HTTPTypes

/// The client of a request, and the scheme and host of its request, before the proxies in between.
public struct ClientAddress: Sendable, Equatable {
    /// The client's address in its usual form, or `unknown` for one that has none (a local socket).
    public var address: String
    /// `http` or `https`, when a trusted proxy says so.
    public var scheme: String?
    /// The host, with its port, for which the client asked, when a trusted proxy says so.
    public var host: String?

    /// Trusts the proxies' header fields, ``TrustedProxies/headers``, only when the direct peer is trusted, and only back to the first hop that is
    /// not: the values left of that hop come from an unknown author.
    ///
    /// A hop that cannot be read (`unknown`, `_hidden`, garbage) ends the walk: the
    /// last trusted address stays. `X-Forwarded-Proto` and `-Host` are those of the same distance from the right as the
    /// client's hop when there are as many of them as hops, else the last ones, which the nearest proxy wrote.
    ///
    /// - Parameter remote: the direct peer's address; nil for a local socket.
    public static func resolve(
        remote: String?, headers: HTTPFields, trusting proxies: TrustedProxies
    ) -> ClientAddress {
        guard let remote else { return ClientAddress(address: "unknown") }
        guard let peer = IPAddress(remote) else { return ClientAddress(address: remote) }
        var client = ClientAddress(address: peer.description)
        guard proxies.contains(peer) else { return client }
        let hops = ForwardedHop.list(of: headers, in: proxies.headers)
        for hop in hops.reversed() {
            if let scheme = hop.scheme { client.scheme = scheme }
            if let host = hop.host { client.host = host }
            guard let address = hop.address else { break }
            client.address = address.description
            guard proxies.contains(address) else { break }
        }
        return client
    }
}

extension HTTPField.Name {
    static let forwarded = HTTPField.Name("Forwarded")
    static let forwardedFor = HTTPField.Name("X-Forwarded-For")
    static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")
    static let forwardedHost = HTTPField.Name("X-Forwarded-Host")
}

/// The network whose requests count together: an IPv4 address, or the /64 of an IPv6 one, of which one machine has all.
public struct ClientNetwork: Sendable, Hashable, CustomStringConvertible {
    private let bytes: [UInt8]

    public init(_ address: IPAddress) {
        bytes = address.isV4 ? address.bytes : Array(address.bytes.prefix(8))
    }

    /// The network as `192.0.2.1` or `2001:db8:1:2::/64`: for keys and messages.
    public var description: String {
        guard bytes.count == 8 else { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 8, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        return groups.joined(separator: ":") + "::/64"
    }
}
