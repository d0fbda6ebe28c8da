import Dispatch
import PushModel
import Synchronization

/// Lets a number of threads in at a time, in the order in which they came.
final class Turnstile: Sendable {
    private struct State {
        var free: Int
        var waiting: [DispatchSemaphore] = []
    }

    private let state: Mutex<State>

    init(places: Int) {
        state = Mutex(State(free: max(1, places)))
    }

    /// Waits for a place. False when there was none until `deadline`, or nobody wants one any more; else the caller must ``leave()``.
    func enter(until deadline: ContinuousClock.Instant, unless isGivenUp: (@Sendable () -> Bool)? = nil) -> Bool {
        let turn = DispatchSemaphore(value: 0)
        let isIn = state.withLock { state in
            guard state.free == 0 else {
                state.free -= 1
                return true
            }
            state.waiting.append(turn)
            return false
        }
        if isIn || turn.wait(until: deadline, unless: isGivenUp) { return true }
        // Gone from the queue means that a place was handed over in this very moment.
        return state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === turn }) else { return true }
            state.waiting.remove(at: index)
            return false
        }
    }

    func leave() {
        let next = state.withLock { state -> DispatchSemaphore? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.signal()
    }
}
