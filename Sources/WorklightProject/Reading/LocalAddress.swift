import Foundation

/// The address of this machine, as the original's tools wrote it for `${local.IPAddress}`.
enum LocalAddress {
    /// The first IPv4 address that is not a loopback one; `127.0.0.1` on a machine without a network.
    static let first: String = {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return loopback }
        defer { freeifaddrs(list) }
        var next = list
        while let interface = next?.pointee {
            next = interface.ifa_next
            guard let address = interface.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
                interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard
                getnameinfo(
                    address, socklen_t(MemoryLayout<sockaddr_in>.size), &text, socklen_t(text.count), nil, 0,
                    NI_NUMERICHOST) == 0
            else { continue }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        return loopback
    }()

    private static let loopback = "127.0.0.1"
}
