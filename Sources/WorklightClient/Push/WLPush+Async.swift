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

    /// Registers an event source and returns its notifications; see
    /// ``registerEventSourceCallback(_:_:_:_:)-(_,_,_,EventListener)``. The stream keeps the newest 100 unread notifications.
    public func notifications(alias: String, adapter: String, eventSource: String) -> AsyncStream<WLNotification> {
        let (stream, continuation) = AsyncStream<WLNotification>.makeStream(
            bufferingPolicy: .bufferingNewest(PushState.mostPending))
        register(alias, adapter, eventSource, .stream { continuation.yield($0) })
        return stream
    }

    /// Subscribes the user to the event source of an alias; see ``subscribe(_:_:_:)``.
    ///
    /// - Parameters:
    ///   - alias: the alias of a registered event source.
    ///   - options: data for the adapter.
    /// - Throws: ``WLError``.
    @discardableResult
    public func subscribe(alias: String, options: [String: String] = [:]) async throws -> WLAnswer {
        try await subscribe(alias: alias, options: JSONText.text(of: options), try core())
    }

    /// Ends the user's subscription to the event source of an alias; see ``unsubscribe(_:_:)``.
    ///
    /// - Throws: ``WLError``.
    @discardableResult
    public func unsubscribe(alias: String) async throws -> WLAnswer {
        try await unsubscribe(alias: alias, try core())
    }

    private func core() throws(WLError) -> ClientCore {
        guard let client else {
            throw WLError(WLErrorCodeUnexpectedError, "the client of these notifications no longer exists")
        }
        return try client.core()
    }
}
