import Foundation
import PushModel

/// Finds the addresses of a name, 4 or 16 bytes each, in the order in which they should be tried.
///
/// - Throws: ``HostLookupError``.
typealias HostLookup = @Sendable (_ host: String) async throws -> [[UInt8]]

/// The system's own way to look up names.
enum HostAddresses {
    /// Its own threads: a name whose server is slow holds up other names here, and nothing else.
    private static let threads = ThreadPool(name: "host lookup", threads: 4)

    static let system: HostLookup = { host in
        try await threads.run { try addresses(of: host) }
    }

    private static func addresses(of host: String) throws -> [[UInt8]] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var first: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &first)
        guard status == 0 else { throw HostLookupError(host: host, reason: String(cString: gai_strerror(status))) }
        defer { freeaddrinfo(first) }
        return sequence(first: first) { $0?.pointee.ai_next }.compactMap { entry in
            guard let info = entry?.pointee, let address = info.ai_addr else { return nil }
            switch info.ai_family {
            case AF_INET:
                return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    withUnsafeBytes(of: address.pointee.sin_addr) { Array($0) }
                }
            case AF_INET6:
                return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) }
                }
            default: return nil
            }
        }
    }
}

/// A name whose addresses could not be found, for now or for ever.
struct HostLookupError: Error, CustomStringConvertible {
    let host: String
    let reason: String

    var description: String { "no address was found for \(host): \(reason)" }
}
