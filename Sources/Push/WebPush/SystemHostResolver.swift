import Core
import Foundation

/// Finds the addresses of a name as texts, in the order in which they should be tried; at least one.
///
/// - Throws: ``HostLookupError``, ``BlockedHostError``.
typealias HostLookup = @Sendable (_ host: String) async throws -> [String]

/// Which addresses may be connected to.
struct AddressCheck: Sendable {
    /// Finds the addresses of a name, 4 or 16 bytes each.
    var system: @Sendable (_ host: String) async throws -> [[UInt8]] = SystemHostResolver.system
    /// - Returns: nil for an address that may not be connected to.
    var check: @Sendable ([UInt8]) -> PublicAddress? = { PublicAddress($0) }

    /// The connection goes to the address that was checked, so it does not matter what the name leads to a moment later.
    var lookUp: HostLookup {
        { host in
            let found = try await system(host)
            let allowed = found.compactMap(check)
            guard !allowed.isEmpty else {
                throw found.isEmpty
                    ? HostLookupError(host: host, reason: "the name has none") : BlockedHostError(host: host)
            }
            return allowed.map(\.description)
        }
    }
}

/// The system's own way to look up names.
enum SystemHostResolver {
    /// Its own threads: names whose servers are slow hold up other names here, and nothing else.
    private static let threads = ThreadPool(name: "host lookup", threads: 64)

    static let system: @Sendable (String) async throws -> [[UInt8]] = { host in
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

/// A name whose addresses could not be found, now or at all.
struct HostLookupError: Error, CustomStringConvertible {
    let host: String
    let reason: String

    var description: String { "no address was found for \(host): \(reason)" }
}

/// The host of a push service has only private or special addresses.
struct BlockedHostError: Error, CustomStringConvertible {
    let host: String

    var description: String {
        "\(host) has only private or special addresses (loopback, private network), where no public push service runs"
    }
}
