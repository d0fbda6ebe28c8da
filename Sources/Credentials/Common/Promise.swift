import Synchronization

/// A result that one task waits for and that several may bring; the first one counts.
final class Promise<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, DirectoryError>

    private enum State {
        case open
        case awaited(CheckedContinuation<Outcome, Never>)
        case settled(Outcome)
    }

    private let state = Mutex(State.open)

    var isSettled: Bool {
        state.withLock { if case .settled = $0 { true } else { false } }
    }

    /// - Parameter outcome: dropped when there is one already.
    func settle(_ outcome: Outcome) {
        let waiter: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .settled(outcome)
                return nil
            case .awaited(let continuation):
                state = .settled(outcome)
                return continuation
            case .settled:
                return nil
            }
        }
        waiter?.resume(returning: outcome)
    }

    /// Waits for the outcome. To be called once.
    func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome: Outcome? = state.withLock { state in
                if case .settled(let outcome) = state { return outcome }
                state = .awaited(continuation)
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
