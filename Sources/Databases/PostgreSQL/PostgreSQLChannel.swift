import CPostgres
import Core
import Foundation
import Synchronization

/// Wakes other servers that share a database, and is woken by them, with NOTIFY and LISTEN.
///
/// A wake-up is a hint: it may be lost, so listeners must also poll. NOTIFY runs on a separate connection outside other transactions, at
/// most every 50 ms, because PostgreSQL serializes the commits of transactions that notify.
package final class PostgreSQLChannel: Sendable {
    private let name: String
    private let connector: PostgreSQLConnector
    private let onNews: @Sendable () -> Void
    private let thread = ThreadPool(name: "lamplighter.listen", threads: 1)
    private let signal: SocketWakeUp
    private let state = Atomic(ListenerCommand.nothing)

    private enum ListenerCommand: UInt8, AtomicRepresentable {
        case nothing, announcement, end
    }

    /// The least time between two messages.
    private static let interval = Duration.milliseconds(50)
    /// The interval between checks of an idle connection.
    private static let heartbeat = Duration.seconds(10)
    /// The wait before a lost connection is reopened.
    private static let pause = Duration.seconds(1)
    private static let answerTime = Duration.seconds(5)

    /// - Parameters:
    ///   - connection: a connection string of libpq. Behind a pooler that shares connections between transactions nothing is heard.
    ///   - name: of the channel.
    ///   - onNews: called on a dedicated thread when another server announces something, and after each (re)connection.
    /// - Returns: `nil` when the process has no file descriptors left.
    package init?(_ connection: String, name: String, onNews: @escaping @Sendable () -> Void) {
        guard let signal = SocketWakeUp() else { return nil }
        (self.name, self.onNews, self.signal) = (name, onNews, signal)
        connector = PostgreSQLConnector(
            name: "PostgreSQL", connection: connection, settings: [("statement_timeout", "5000")])
    }

    /// Begins to listen, until ``close()``.
    package func open() {
        thread.submit { [self] in
            while state.load(ordering: .sequentiallyConsistent) != .end {
                do throws(SQLStatementError) {
                    let connection = try connector.connect(deadline: Deadline(in: Self.answerTime))
                    defer { connection.close() }
                    guard let connection = connection as? PostgreSQLConnection else { return }
                    try work(on: connection)
                } catch {
                    _ = signal.wait(besides: -1, for: Self.pause)
                }
            }
        }
    }

    /// Wakes the other servers. Returns immediately; callable from any thread.
    package func announce() {
        let before = state.compareExchange(
            expected: .nothing, desired: .announcement, ordering: .sequentiallyConsistent)
        if before.exchanged { signal.set() }
    }

    /// Ends the listening.
    package func close() {
        state.store(.end, ordering: .sequentiallyConsistent)
        signal.set()
    }

    private func work(on connection: PostgreSQLConnection) throws(SQLStatementError) {
        try run("LISTEN \(name)", on: connection)
        // Messages may have been lost while the connection was down.
        onNews()
        var lastSent = ContinuousClock.now - Self.interval
        var lastHeard = ContinuousClock.now
        while true {
            let wish = state.load(ordering: .sequentiallyConsistent)
            let now = ContinuousClock.now
            var wait = lastHeard + Self.heartbeat - now
            switch wish {
            case .end: return
            case .nothing: break
            case .announcement: wait = min(wait, lastSent + Self.interval - now)
            }
            if wait > .zero {
                guard signal.wait(besides: connection.socket, for: wait) else { continue }
                lastHeard = .now
                if try connection.hasHeardOthers() { onNews() }
            } else if wish == .announcement {
                _ = state.compareExchange(
                    expected: .announcement, desired: .nothing, ordering: .sequentiallyConsistent)
                try run("NOTIFY \(name)", on: connection)
                lastSent = .now
                if try connection.hasHeardOthers() { onNews() }
            } else {
                try run("SELECT 1", on: connection)
                lastHeard = .now
            }
        }
    }

    private func run(_ sql: String, on connection: PostgreSQLConnection) throws(SQLStatementError) {
        _ = try connection.query(
            sql, [],
            PostgreSQLConnection.Limits(deadline: Deadline(in: Self.answerTime), maximumResultSize: 1 << 16))
    }
}

/// Wakes a thread that waits for a socket.
private final class SocketWakeUp: Sendable {
    private let ends: (read: Int32, write: Int32)

    init?() {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        self.ends = (ends[0], ends[1])
    }

    deinit {
        Foundation.close(ends.read)
        Foundation.close(ends.write)
    }

    func set() {
        // A pipe that is full wakes the thread, too.
        _ = write(ends.write, "!", 1)
    }

    /// - Parameter socket: -1 for none.
    /// - Returns: whether there is something to read on the socket, or it is closed.
    func wait(besides socket: Int32, for duration: Duration) -> Bool {
        var descriptors = [
            pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&descriptors, 2, Deadline(in: duration).remainingMilliseconds) > 0 else { return false }
        if descriptors[0].revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(ends.read, &bytes, bytes.count) > 0 {}
        }
        return descriptors[1].revents != 0
    }
}

extension PostgreSQLConnection {
    fileprivate var socket: Int32 { PQsocket(handle) }

    /// Reads pending input, and returns whether another session has notified.
    fileprivate func hasHeardOthers() throws(SQLStatementError) -> Bool {
        guard PQconsumeInput(handle) == 1 else { throw SQLStatementError(.connection, errorMessage) }
        var isNews = false
        while let notification = PQnotifies(handle) {
            if notification.pointee.be_pid != PQbackendPID(handle) { isNews = true }
            PQfreemem(notification)
        }
        return isNews
    }
}
