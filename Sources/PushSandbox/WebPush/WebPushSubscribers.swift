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
    func makeSubscriber() -> WebPushSubscriber {
        let subscriber = WebPushSubscriber(httpPort: httpPort)
        subscribers.add(subscriber)
        return subscriber
    }
}

extension PushSandbox {
    /// A new browser that takes Web Push messages.
    public func makeWebPushSubscriber() -> WebPushSubscriber { core.makeSubscriber() }

    /// The browser takes back its subscription: from now on its endpoint answers 410.
    public func removeWebPushSubscriber(_ subscriber: WebPushSubscriber) {
        core.subscribers.remove(subscriber.id)
    }

    /// Makes every access token that was handed out so far worthless.
    public func revokeAccessTokens() { core.accessTokens.revokeAll() }
}
