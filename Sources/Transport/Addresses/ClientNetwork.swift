/// Whose requests count together: an IPv4 address, or the /64 of an IPv6 one, of which one machine has all.
public struct ClientNetwork: Sendable, Hashable {
    private let bytes: [UInt8]

    public init(_ address: IPAddress) {
        bytes = address.isV4 ? address.bytes : Array(address.bytes.prefix(8))
    }
}
