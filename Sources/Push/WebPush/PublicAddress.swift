/// The internet addresses that a page's endpoint may lead to: none of this machine, of a private network, of a group of
/// machines, or of any other special use. Otherwise a page could make the server send requests to hosts that only the server reaches.
enum PublicAddress {
    /// Returns true if an address is public.
    ///
    /// - Parameter bytes: 4 or 16, in network order.
    @Sendable static func contains(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: isPublicV4(bytes)
        case 16: isPublicV6(bytes)
        default: false
        }
    }

    /// A range of addresses: its first bytes, and how many bits of them count.
    private typealias Range = (first: [UInt8], bits: Int)

    /// IANA's registry of special addresses, what is reserved or for groups, and 168.63.129.16, where Azure's machines reach their host.
    private static let specialV4: [Range] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([168, 63, 129, 16], 32), ([169, 254], 16), ([172, 16], 12),
        ([192, 0, 0], 24),
        ([192, 0, 2], 24), ([192, 31, 196], 24), ([192, 52, 193], 24), ([192, 88, 99], 24), ([192, 168], 16),
        ([192, 175, 48], 24), ([198, 18], 15), ([198, 51, 100], 24), ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ]

    /// The special ranges in 2000::/3, which is public: protocol assignments with Teredo, documentation twice, 6to4, which holds an IPv4 address, and
    /// AS112.
    private static let specialV6: [Range] = [
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16), ([0x3F, 0xFF, 0x00], 20),
        ([0x26, 0x20, 0x00, 0x4F, 0x80, 0x00], 48),
    ]

    /// 64:ff9b::/96, by which machines without IPv4 reach the machines that have nothing else.
    private static let translation: [UInt8] = [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]

    private static func isPublicV4(_ bytes: [UInt8]) -> Bool { !specialV4.contains { holds($0, bytes) } }

    private static func isPublicV6(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: translation) { return isPublicV4(Array(bytes.suffix(4))) }
        return bytes[0] & 0xE0 == 0x20 && !specialV6.contains { holds($0, bytes) }
    }

    private static func holds(_ range: Range, _ bytes: [UInt8]) -> Bool {
        range.first.enumerated().allSatisfy { index, byte in
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, range.bits - index * 8))
            return bytes[index] & mask == byte & mask
        }
    }
}
