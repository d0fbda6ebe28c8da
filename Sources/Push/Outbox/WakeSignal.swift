import Synchronization

/// Wakes the one task that waits. A signal that comes while nobody waits is kept for the next wait, so none is lost;
/// several count as one.
final class WakeSignal: Sendable {
    private struct State {
        var isSet = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// May be called from any thread, and never blocks.
    func set() {
        let waiter = state.withLock { state in
            state.isSet = state.waiter == nil
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Returns at once when the signal has been set since the last wait, else when it is. One task at a time.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isSet = state.withLock { state in
                if !state.isSet { state.waiter = continuation }
                defer { state.isSet = false }
                return state.isSet
            }
            if isSet { continuation.resume() }
        }
    }
}
