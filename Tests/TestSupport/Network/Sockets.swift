import Foundation

public struct SocketFailure: Error {
    public init() {}
}

/// A port on 127.0.0.1 that nobody listens on.
public func freePort() throws -> Int {
    let listener = try Listener(accepts: false)
    return listener.port
}

/// A socket on 127.0.0.1 that accepts connections (the kernel does) and never says a word.
public final class Listener: Sendable {
    public let port: Int
    private let descriptor: Int32

    public init(accepts: Bool = true) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound, !accepts || listen(descriptor, 16) == 0 else { throw SocketFailure() }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit {
        close(descriptor)
    }
}
