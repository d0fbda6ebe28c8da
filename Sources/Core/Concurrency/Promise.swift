package import Dispatch
import Synchronization

/// A value that comes later, and that threads or tasks wait for. The first value counts.
package final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [CheckedContinuation<Value, Never>] = []
    }

    private let state = Mutex(State())
    private let isFulfilled = DispatchSemaphore(value: 0)

    package init() {}

    /// The value; `nil` before it has come.
    package var value: Value? { state.withLock { $0.value } }

    /// Sets the value, and wakes those that wait. Does nothing when there is a value.
    package func fulfill(_ value: Value) {
        let waiters: [CheckedContinuation<Value, Never>]? = state.withLock { state in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiters = [] }
            return state.waiters
        }
        guard let waiters else { return }
        isFulfilled.signal()
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// Waits for the value without blocking a thread.
    package func get() async -> Value {
        await withCheckedContinuation { continuation in
            let value: Value? = state.withLock { state in
                if state.value == nil { state.waiters.append(continuation) }
                return state.value
            }
            if let value { continuation.resume(returning: value) }
        }
    }

    /// Waits for the value and blocks the thread meanwhile: not for Swift's threads and event loops.
    ///
    /// - Parameters:
    ///   - deadline: `nil` for none.
    ///   - isGivenUp: returns true if the value is no longer needed; called every 20 ms.
    /// - Returns: `nil` when the deadline came first, or the value is no longer needed.
    package func wait(
        until deadline: ContinuousClock.Instant?, unless isGivenUp: (@Sendable () -> Bool)? = nil
    ) -> Value? {
        // The signal is for all that wait.
        if isFulfilled.wait(until: deadline, unless: isGivenUp) { isFulfilled.signal() }
        return value
    }
}

extension DispatchSemaphore {
    /// The interval between two calls of `isGivenUp` during a wait, in seconds.
    private static let pause = 0.02

    /// Waits for a signal.
    ///
    /// - Parameters:
    ///   - deadline: `nil` for none.
    ///   - isGivenUp: returns true if the caller no longer waits; called every 20 ms.
    /// - Returns: false when the deadline came first, or the caller no longer waits.
    package func wait(
        until deadline: ContinuousClock.Instant?, unless isGivenUp: (@Sendable () -> Bool)? = nil
    ) -> Bool {
        while true {
            let left: Double = deadline.map { max(0, ($0 - ContinuousClock.now) / .seconds(1)) } ?? .infinity
            let part = min(left, isGivenUp == nil ? 1_000_000 : Self.pause)
            if wait(timeout: .now() + part) == .success { return true }
            if part == left || isGivenUp?() == true { return false }
        }
    }
}
