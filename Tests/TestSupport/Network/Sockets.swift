import Foundation
import Synchronization

public struct SocketError: Error {
    public init() {}
}

/// A port on 127.0.0.1 without a listener, for the lifetime of this process. A socket is bound to it, so that no other program gets it.
public let closedPort: Int = {
    do { return try Listener(accepts: false, isKept: true).port } catch { fatalError("no socket can be had: \(error)") }
}()

/// Returns a free port on 127.0.0.1, for a server that cannot choose one itself.
///
/// The port is outside the range from which the system assigns ports. Otherwise the system would sometimes assign it to another client or
/// server before the server starts.
public func freePort() throws -> Int {
    while true {
        let port = nextPort.withLock { port in
            port = port < FreePorts.last ? port + 1 : FreePorts.first
            return port
        }
        if (try? Listener(port: port, accepts: false)) != nil { return port }
    }
}

/// The range of ports, below the one that Linux assigns, which begins at 32768.
private enum FreePorts {
    static let first = 12_000
    static let last = 31_999
}

/// The last port that was returned. Each process begins at a random port.
private let nextPort = Mutex(Int.random(in: FreePorts.first...FreePorts.last))

/// A socket on 127.0.0.1 whose connections the kernel accepts, and that never sends anything.
public final class Listener: Sendable {
    public let port: Int
    private let descriptor: Int32
    private let isKept: Bool

    /// Binds a socket.
    ///
    /// - Parameter port: the port; any free one when 0.
    public convenience init(port: Int = 0, accepts: Bool = true) throws {
        try self.init(port: port, accepts: accepts, isKept: false)
    }

    fileprivate init(port: Int = 0, accepts: Bool, isKept: Bool) throws {
        self.isKept = isKept
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        self.port = Int(UInt16(bigEndian: address.sin_port))
        guard isBound, !accepts || listen(descriptor, 16) == 0 else { throw SocketError() }
    }

    deinit {
        if !isKept { close(descriptor) }
    }
}
