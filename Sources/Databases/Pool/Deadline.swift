import Core
import Dispatch

/// The moment when an operation must be over; at once, when its caller cancels it.
struct Deadline: Sendable {
    /// The whole time that the operation was given, for messages.
    let limit: Duration
    private let end: ContinuousClock.Instant
    private let isGivenUp: (@Sendable () -> Bool)?
    /// Called when the operation begins to wait, on its thread.
    let onWait: (@Sendable () -> Void)?

    /// How long a wait that can be given up goes on before it looks, in milliseconds.
    private static let look: Int32 = 20

    /// - Parameter isGivenUp: tells whether nobody wants the result any more; `nil` when that cannot be.
    init(
        in limit: Duration, isGivenUp: (@Sendable () -> Bool)? = nil, onWait: (@Sendable () -> Void)? = nil
    ) {
        self.limit = limit
        self.isGivenUp = isGivenUp
        self.onWait = onWait
        end = .now + limit
    }

    private init(
        limit: Duration, end: ContinuousClock.Instant, onWait: (@Sendable () -> Void)?,
        isGivenUp: @escaping @Sendable () -> Bool
    ) {
        (self.limit, self.end, self.onWait, self.isGivenUp) = (limit, end, onWait, isGivenUp)
    }

    /// The same moment, or the one when `isOver` is true.
    func cancellable(_ isOver: @escaping @Sendable () -> Bool) -> Deadline {
        Deadline(limit: limit, end: end, onWait: onWait) { [isGivenUp] in isOver() || isGivenUp?() == true }
    }

    var remaining: Duration { isGivenUp?() == true ? .zero : max(.zero, end - .now) }
    var hasPassed: Bool { remaining == .zero }

    /// At least 1 until the deadline has passed, so that nobody who waits spins.
    var remainingMilliseconds: Int32 {
        let (seconds, attoseconds) = remaining.components
        if seconds == 0, attoseconds == 0 { return 0 }
        return Int32(clamping: min(seconds, 2_000_000) * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }

    /// How long to wait before looking at the deadline again; 0 when it has passed.
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
