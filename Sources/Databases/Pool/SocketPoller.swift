import Foundation

/// Waiting for a socket.
enum SocketPoller {
    static let read = Int16(POLLIN)
    static let write = Int16(POLLOUT)

    /// - Returns: false when the deadline passed first.
    static func wait(for events: Int16, on socket: Int32, until deadline: Deadline) -> Bool {
        var descriptor = pollfd(fd: socket, events: events, revents: 0)
        while true {
            let milliseconds = deadline.millisecondsToLook
            let count = poll(&descriptor, 1, milliseconds)
            if count > 0 || count < 0 && errno != EINTR { return true }
            if milliseconds == 0 { return false }
        }
    }

    /// Whether there is something to read, or the peer closed, right now.
    static func isReadable(_ socket: Int32) -> Bool {
        wait(for: read, on: socket, until: Deadline(in: .zero))
    }
}
