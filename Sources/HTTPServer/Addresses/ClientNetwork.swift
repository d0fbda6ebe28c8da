/// Whose requests count together: an IPv4 address, or the /64 of an IPv6 one, of which one machine has all.
public struct ClientNetwork: Sendable, Hashable, CustomStringConvertible {
    private let bytes: [UInt8]

    public init(_ address: IPAddress) {
        bytes = address.isV4 ? address.bytes : Array(address.bytes.prefix(8))
    }

    /// `192.0.2.1` or `2001:db8:1:2::/64`: for keys and for people.
    public var description: String {
        guard bytes.count == 8 else { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 8, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        return groups.joined(separator: ":") + "::/64"
    }
}
