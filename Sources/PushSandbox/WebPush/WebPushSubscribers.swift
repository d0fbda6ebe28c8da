import Synchronization

/// The subscribers of a sandbox, by their ids.
final class WebPushSubscribers: Sendable {
    private struct State {
        var present: [String: WebPushSubscriber] = [:]
        var gone: Set<String> = []
    }

    private let state = Mutex(State())

    func add(_ subscriber: WebPushSubscriber) { state.withLock { $0.present[subscriber.id] = subscriber } }

    func remove(_ id: String) {
        state.withLock { state in
            if state.present.removeValue(forKey: id) != nil { state.gone.insert(id) }
        }
    }

    subscript(id: String) -> WebPushSubscriber? { state.withLock { $0.present[id] } }

    func isGone(_ id: String) -> Bool { state.withLock { $0.gone.contains(id) } }
}

extension SandboxCore {
    func makeSubscriber(origin: String? = nil) -> WebPushSubscriber {
        let subscriber = WebPushSubscriber(origin: origin ?? "https://localhost:\(httpPort)")
        subscribers.add(subscriber)
        return subscriber
    }
}

extension PushSandbox {
    /// A new browser that takes Web Push messages.
    ///
    /// - Parameter origin: the service's scheme, host and port as the browser's page knows it; the sandbox's own when nil. For a server that refuses
    ///   endpoints at localhost, pass a public name here, which the server's settings redirect to the sandbox.
    public func makeWebPushSubscriber(origin: String? = nil) -> WebPushSubscriber {
        core.makeSubscriber(origin: origin)
    }

    /// Removes a browser's subscription: from now on its endpoint returns 410.
    public func removeWebPushSubscriber(_ subscriber: WebPushSubscriber) {
        core.subscribers.remove(subscriber.id)
    }

    /// Makes every access token that was handed out so far worthless.
    public func revokeAccessTokens() { core.accessTokens.revokeAll() }
}
