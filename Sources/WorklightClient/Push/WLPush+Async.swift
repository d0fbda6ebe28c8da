import Synchronization

extension WLPush {
    /// Waits until the device is ready to subscribe; see ``setOnReadyToSubscribeListener(_:)``.
    ///
    /// - Throws: `CancellationError`.
    public func ready() async throws {
        let number = state.withLock { state in
            state.waiters += 1
            return state.waiters
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isReady, !Task.isCancelled else { return true }
                    state.readyWaiters[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.readyWaiters.removeValue(forKey: number) }?.resume()
        }
        try Task.checkCancellation()
    }

    /// Registers an event source, and returns its notifications; see `registerEventSourceCallback`. The newest 100 unread ones are
    /// kept.
    public func notifications(alias: String, adapter: String, eventSource: String) -> AsyncStream<WLNotification> {
        let (stream, continuation) = AsyncStream<WLNotification>.makeStream(
            bufferingPolicy: .bufferingNewest(PushState.mostPending))
        register(alias, adapter, eventSource, .stream { continuation.yield($0) })
        return stream
    }

    /// Subscribes; see ``subscribe(_:_:_:)``.
    ///
    /// - Parameter options: what the adapter shall know.
    /// - Throws: ``WLError``.
    @discardableResult
    public func subscribe(alias: String, options: [String: String] = [:]) async throws -> WLAnswer {
        try await subscribe(alias: alias, options: JSONText.text(of: options), try core())
    }

    /// Ends a subscription; see ``unsubscribe(_:_:)``.
    ///
    /// - Throws: ``WLError``.
    @discardableResult
    public func unsubscribe(alias: String) async throws -> WLAnswer {
        try await unsubscribe(alias: alias, try core())
    }

    private func core() throws(WLError) -> ClientCore {
        guard let client else { throw WLError(WLErrorCodeUnexpectedError, "the client of these notifications is gone") }
        return try client.core()
    }
}
