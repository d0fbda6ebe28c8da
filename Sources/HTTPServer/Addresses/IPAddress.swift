import Foundation

/// An IPv4 or IPv6 address. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) is the IPv4 address.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 bytes or 16, in network order.
    public let bytes: [UInt8]

    /// Reads the usual form of an address, without brackets, port or zone.
    ///
    /// - Returns: nil when `text` is not an address.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        // The system's own parser ends at a NUL and knows zones.
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }) else { return nil }
        var v4 = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = v4
            return
        }
        var v6 = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        let isMapped = v6.prefix(10).allSatisfy { $0 == 0 } && v6[10] == 0xFF && v6[11] == 0xFF
        bytes = isMapped ? Array(v6.suffix(4)) : v6
    }

    public var isV4: Bool { bytes.count == 4 }

    public var isLoopback: Bool {
        isV4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(isV4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
