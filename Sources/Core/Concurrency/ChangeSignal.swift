import Synchronization

/// Wakes tasks that wait for the next entry of a numbered series.
public final class ChangeSignal: Sendable {
    private struct Waiter {
        let beyond: Int
        let continuation: AsyncStream<Never>.Continuation
    }

    private struct State {
        var number = 0
        var isClosed = false
        var waiters: [Int: Waiter] = [:]
        var waitersStarted = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// True if waits end at once.
    package var isClosed: Bool { state.withLock(\.isClosed) }

    /// Signals that the series has entries up to this number. Never blocks; cheap when no task waits.
    package func ring(_ number: Int) {
        let woken: [Waiter] = state.withLock { state in
            state.number = max(state.number, number)
            guard !state.waiters.isEmpty else { return [] }
            return state.waiters.values.filter { $0.beyond < number }
        }
        for waiter in woken { waiter.continuation.finish() }
    }

    /// Ends all waits, and those that begin later.
    package func close() {
        let woken = state.withLock { state in
            state.isClosed = true
            return Array(state.waiters.values)
        }
        for waiter in woken { waiter.continuation.finish() }
    }

    /// Returns once there is something beyond the number, when the deadline has come, when the bell is closed, or when the
    /// task is cancelled.
    ///
    /// - Parameter deadline: in the uptime of `time`.
    package func wait(beyond number: Int, until deadline: Duration, time: any TimeSource) async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        let id: Int? = state.withLock { state in
            guard !state.isClosed, state.number <= number else { return nil }
            state.waitersStarted += 1
            state.waiters[state.waitersStarted] = Waiter(beyond: number, continuation: continuation)
            return state.waitersStarted
        }
        guard let id else { return }
        let alarm = Task {
            try? await time.sleep(untilUptime: deadline)
            continuation.finish()
        }
        for await _ in stream {}
        alarm.cancel()
        state.withLock { $0.waiters[id] = nil }
    }
}
