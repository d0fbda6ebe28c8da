/// The header fields in which proxies report the client and its request. Those of the other family may be the client's own.
public enum ProxyHeaders: String, Sendable, CaseIterable {
    /// `X-Forwarded-For`, `-Proto` and `-Host`, which nginx, HAProxy, Apache and load balancers set.
    case xForwarded = "X-Forwarded"
    /// `Forwarded` (RFC 7239).
    case forwarded = "Forwarded"
}

/// The proxies whose word about the client counts.
public struct TrustedProxies: Sendable, Equatable {
    private struct Range: Equatable {
        let first: IPAddress
        let prefix: Int

        /// `10.0.0.0/8`; the address alone where the range is one.
        var text: String { prefix == first.bytes.count * 8 ? "\(first)" : "\(first)/\(prefix)" }

        func contains(_ address: IPAddress) -> Bool {
            guard address.isV4 == first.isV4 else { return false }
            var left = prefix
            for (mine, other) in zip(first.bytes, address.bytes) where left > 0 {
                let mask = left >= 8 ? UInt8.max : ~(UInt8.max >> left)
                guard mine & mask == other & mask else { return false }
                left -= 8
            }
            return true
        }
    }

    private let ranges: [Range]
    /// The header fields that they use.
    public var headers = ProxyHeaders.xForwarded

    /// No proxy is trusted: the direct peer is the client.
    public static let none = TrustedProxies()

    private init() { ranges = [] }

    /// - Parameter list: addresses (`192.0.2.1`, `::1`) and ranges (`10.0.0.0/8`, `fd00::/8`).
    /// - Throws: ``TrustedProxiesError`` for an entry that is neither.
    public init(_ list: [String]) throws {
        ranges = try list.map { entry in
            let parts = entry.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count <= 2, let address = IPAddress(parts[0]) else { throw TrustedProxiesError(entry: entry) }
            var bits = address.bytes.count * 8
            if parts.count == 2 {
                guard let given = Int(parts[1]), parts[1].allSatisfy(\.isASCIIDigit) else {
                    throw TrustedProxiesError(entry: entry)
                }
                // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
                let prefix = address.isV4 && parts[0].contains(":") ? given - 96 : given
                guard (0...bits).contains(prefix) else { throw TrustedProxiesError(entry: entry) }
                bits = prefix
            }
            return Range(first: address, prefix: bits)
        }
    }

    public var isEmpty: Bool { ranges.isEmpty }

    /// The addresses and ranges, in the form that ``init(_:)`` takes.
    public var list: [String] { ranges.map(\.text) }

    public func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

/// An entry of the list of trusted proxies that cannot be read.
public struct TrustedProxiesError: Error, CustomStringConvertible, Equatable {
    public let entry: String

    public var description: String {
        "trusted proxies: '\(entry)' is neither an address nor a range of addresses; expected something like "
            + "'192.0.2.1', '10.0.0.0/8' or 'fd00::/8'"
    }
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}
