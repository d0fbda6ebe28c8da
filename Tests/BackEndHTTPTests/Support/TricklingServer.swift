import Foundation
import Synchronization

/// A server that sends its head to its one client, and then a byte every 20 ms until the client closes the connection.
final class TricklingServer: Sendable {
    let port: Int
    private let listener: Int32

    init(_ head: [UInt8]) throws {
        signal(SIGPIPE, SIG_IGN)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isBound else {
            throw ShellError(description: "no port for a server: \(String(cString: strerror(errno)))")
        }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread {
            let client = accept(listener, nil, nil)
            guard client >= 0, write(client, head, head.count) > 0 else { return }
            var closing = pollfd(fd: client, events: 0, revents: 0)
            repeat {
                guard write(client, [UInt8(ascii: "a")], 1) == 1 else { break }
            } while poll(&closing, 1, 20) == 0
            close(client)
        }
    }

    func stop() { close(listener) }
}
