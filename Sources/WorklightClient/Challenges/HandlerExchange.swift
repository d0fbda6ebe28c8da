import Synchronization

/// The connection between a challenge handler and the request that waits for it. It may be used from any thread.
final class HandlerExchange: Sendable {
    private struct State: Sendable {
        var client: WeakClient?
        /// The continuation of the request that waits.
        var waiting: CheckedContinuation<ChallengeVerdict, Never>?
    }

    private let state = Mutex(State())

    func attach(_ client: WLClient) {
        state.withLock { $0.client = WeakClient(client: client) }
    }

    /// The client at which the handler is registered; `nil` when it is not registered.
    var client: WLClient? { state.withLock { $0.client?.client } }

    /// Passes the challenge to the application and waits for its verdict. The verdict is a failure when the task is cancelled, or when
    /// another request waits already.
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

    /// Ends the wait of the request with a verdict.
    ///
    /// - Returns: true if a request was waiting.
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
