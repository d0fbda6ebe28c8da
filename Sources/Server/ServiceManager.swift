import Core
import Dispatch
import Foundation
import Logging

/// The service manager that started this process, such as systemd, which wants to know when the server is ready, reloads, stops and lives
/// (`sd_notify(3)`).
public struct ServiceManager: Sendable {
    private let socket: String
    /// The time without a sign of life after which the manager ends the process; `nil` without such a limit.
    let watchdog: Duration?

    /// - Parameter environment: that of the process.
    /// - Returns: `nil` when no manager wants to know.
    public init?(environment: [String: String]) {
        guard let socket = environment["NOTIFY_SOCKET"], socket.hasPrefix("/") || socket.hasPrefix("@") else {
            return nil
        }
        self.socket = socket
        let isForThisProcess = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdog = isForThisProcess && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// The server accepts requests, or has finished a reload.
    func isReady(_ status: String) { send("READY=1", "STATUS=\(status)") }

    /// The server has begun to reload. Call ``isReady(_:)`` when it has finished.
    func reloads() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        send("RELOADING=1", "MONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)")
    }

    /// The server has begun to stop, and needs at most this time.
    func stops(within duration: Duration) {
        send("STOPPING=1", "EXTEND_TIMEOUT_USEC=\(Int(duration / .microseconds(1)))", "STATUS=stopping")
    }

    func lives() { send("WATCHDOG=1") }

    /// A manager that does not read has ended: nothing can be done about it.
    private func send(_ lines: String...) {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A name that begins with @ is in the abstract namespace.
        var path = Array(socket.utf8)
        if path[0] == UInt8(ascii: "@") { path[0] = 0 }
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let message = Array(lines.joined(separator: "\n").utf8)
        withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
    }
}

/// Says that the server lives as long as each of its loops responds, whatever the loop's work waits for.
///
/// It asks each loop, and at the next tick passes on a sign of life if all have responded. It has a thread outside of Swift's, whose
/// threads may be what hangs.
final class Watchdog: Sendable {
    /// A part of the server that must respond.
    struct Loop: Sendable {
        let name: String
        /// Returns when the loop has come to the question.
        let respond: @Sendable () async -> Void
    }

    private let loops: [Loop]
    private let sign: @Sendable () -> Void
    private let logger: Logger
    /// The names of the loops that have not responded yet.
    let asked = AwaitableValue<Set<String>>([])

    init(_ loops: [Loop], logger: Logger, sign: @escaping @Sendable () -> Void) {
        (self.loops, self.logger, self.sign) = (loops, logger, sign)
    }

    /// Ticks three times in the time after which the manager ends the process, until the timer is cancelled.
    func start(every watchdog: Duration) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "lamplighter.watchdog"))
        timer.setEventHandler { [self] in tick() }
        let pause = max(Int(watchdog / .milliseconds(1)) / 3, 1)
        timer.schedule(deadline: .now(), repeating: .milliseconds(pause))
        timer.activate()
        return timer
    }

    func tick() {
        let silent = asked.update { asked in
            defer { asked.formUnion(loops.map(\.name)) }
            return asked
        }
        if silent.isEmpty {
            sign()
        } else {
            logger.critical(
                "\(silent.sorted().joined(separator: ", ")): no sign of life; the service manager ends this process if it stays so"
            )
        }
        for loop in loops where !silent.contains(loop.name) {
            Task {
                await loop.respond()
                asked.update { _ = $0.remove(loop.name) }
            }
        }
    }
}
