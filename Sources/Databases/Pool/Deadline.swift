import Core
import Dispatch
import Foundation

/// The moment when an operation must be over; at once, when its caller cancels it.
struct Deadline: Sendable {
    /// The total time of the operation, for messages.
    let limit: Duration
    private let end: ContinuousClock.Instant
    private let isGivenUp: (@Sendable () -> Bool)?
    /// The CPU time of work in this process; `nil` if it is not limited.
    let cpu: CPUBudget?
    /// Called when the operation begins to wait, on its thread.
    let onWait: (@Sendable () -> Void)?

    /// The interval at which a wait checks whether it was cancelled, in milliseconds.
    private static let look: Int32 = 20

    /// - Parameter isGivenUp: returns whether the result is no longer needed; `nil` if it always is.
    init(
        in limit: Duration, isGivenUp: (@Sendable () -> Bool)? = nil, cpu: CPUBudget? = nil,
        onWait: (@Sendable () -> Void)? = nil
    ) {
        self.limit = limit
        self.cpu = cpu
        self.isGivenUp = isGivenUp
        self.onWait = onWait
        end = .now + limit
    }

    private init(
        limit: Duration, end: ContinuousClock.Instant, cpu: CPUBudget?, onWait: (@Sendable () -> Void)?,
        isGivenUp: @escaping @Sendable () -> Bool
    ) {
        (self.limit, self.end, self.cpu, self.onWait, self.isGivenUp) = (limit, end, cpu, onWait, isGivenUp)
    }

    /// The same moment, or the one when `isOver` is true.
    func cancellable(_ isOver: @escaping @Sendable () -> Bool) -> Deadline {
        Deadline(limit: limit, end: end, cpu: cpu, onWait: onWait) { [isGivenUp] in isOver() || isGivenUp?() == true }
    }

    var remaining: Duration { isGivenUp?() == true ? .zero : max(.zero, end - .now) }
    var hasPassed: Bool { remaining == .zero }

    /// At least 1 until the deadline has passed, so that waiting loops do not spin.
    var remainingMilliseconds: Int32 {
        let (seconds, attoseconds) = remaining.components
        if seconds == 0, attoseconds == 0 { return 0 }
        return Int32(clamping: min(seconds, 2_000_000) * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }

    /// The time until the next check of the deadline, in milliseconds; 0 when it has passed.
    var millisecondsToLook: Int32 { isGivenUp == nil ? remainingMilliseconds : min(Self.look, remainingMilliseconds) }

    /// - Returns: whether the semaphore was signalled before the deadline.
    func wait(for semaphore: DispatchSemaphore) -> Bool {
        onWait?()
        return semaphore.wait(until: end, unless: isGivenUp)
    }

    /// - Returns: `nil` when the deadline came before the value.
    func wait<Value: Sendable>(for promise: Promise<Value>) -> Value? {
        promise.wait(until: end, unless: isGivenUp)
    }
}

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

    /// Returns true if there is something to read, or the peer closed, right now.
    static func isReadable(_ socket: Int32) -> Bool {
        wait(for: read, on: socket, until: Deadline(in: .zero))
    }
}

/// Work that may hang in a library, on threads that nothing else needs.
enum DriverThreads {
    /// Without a limit, since work that hangs keeps its thread; the pools of connections have one.
    private static let threads = ThreadPool(name: "sql driver", threads: .max)
    private static let cancellations = ThreadPool(name: "sql cancellation", threads: 16)

    /// Runs `work` on another thread and waits for it.
    ///
    /// - Returns: `nil` when the deadline passed first. The work then continues, and its result is dropped.
    static func run<Value: Sendable>(
        until deadline: Deadline, _ work: @escaping @Sendable () throws(SQLStatementError) -> Value
    ) throws(SQLStatementError) -> Value? {
        let result = Promise<Result<Value, SQLStatementError>>()
        start { result.fulfill(Result { () throws(SQLStatementError) in try work() }) }
        return try deadline.wait(for: result)?.get()
    }

    /// Runs `work` on another thread.
    static func start(_ work: @escaping @Sendable () -> Void) {
        threads.submit(work)
    }

    /// Runs what asks a server to stop a statement, unless 16 of these run.
    ///
    /// - Returns: false when it is not run.
    static func startCancellation(_ work: @escaping @Sendable () -> Void) -> Bool {
        cancellations.submit(below: 16, work)
    }
}
