import Foundation
import Synchronization

public struct SocketError: Error {
    public init() {}
}

/// A port on 127.0.0.1 that nobody listens on, for as long as this process lives: it is taken, so that nobody else is
/// given it.
public let closedPort: Int = {
    do { return try Listener(accepts: false, isKept: true).port } catch { fatalError("no socket can be had: \(error)") }
}()

/// A port on 127.0.0.1 for a server that must be told one.
///
/// It is none of those that the system gives by itself, to clients and to servers that take any: between now and the
/// server's start it would sometimes give it to one of them.
public func freePort() throws -> Int {
    while true {
        let port = nextPort.withLock { port in
            port = port < FreePorts.last ? port + 1 : FreePorts.first
            return port
        }
        if (try? Listener(port: port, accepts: false)) != nil { return port }
    }
}

/// Below those of Linux, which begin at 32768.
private enum FreePorts {
    static let first = 12_000
    static let last = 31_999
}

/// Each process begins somewhere else.
private let nextPort = Mutex(Int.random(in: FreePorts.first...FreePorts.last))

/// A socket on 127.0.0.1 that accepts connections (the kernel does) and never says a word.
public final class Listener: Sendable {
    public let port: Int
    private let descriptor: Int32
    private let isKept: Bool

    /// - Parameter port: any that is free when 0.
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
