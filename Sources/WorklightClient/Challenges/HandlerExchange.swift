import Synchronization

/// What connects a challenge handler with the request that waits for it. It may be used from any thread.
final class HandlerExchange: Sendable {
    private struct State: Sendable {
        var client: WeakClient?
        /// The request that waits.
        var waiting: CheckedContinuation<ChallengeVerdict, Never>?
    }

    private let state = Mutex(State())

    func attach(_ client: WLClient) {
        state.withLock { $0.client = WeakClient(client: client) }
    }

    /// The client that the handler is registered with; `nil` when it is with none.
    var client: WLClient? { state.withLock { $0.client?.client } }

    /// Shows the challenge to the application, and waits for what it says.
    func challenge(_ show: @escaping @Sendable () -> Void) async -> ChallengeVerdict {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !Task.isCancelled, state.waiting == nil else { return true }
                    state.waiting = continuation
                    return false
                }
                if isOver {
                    continuation.resume(returning: .failed(nil))
                } else {
                    show()
                }
            }
        } onCancel: {
            end(.failed(nil))
        }
    }

    /// - Returns: whether a caller was waiting.
    @discardableResult
    func end(_ verdict: ChallengeVerdict) -> Bool {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: verdict)
        return waiting != nil
    }
}
