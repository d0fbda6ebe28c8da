import Foundation
import Synchronization

extension WLPush {
    /// Registers the listener for the notifications of an event source (3.1.2). Call it at each start of the application; the device need
    /// not be ready.
    ///
    /// - Parameter alias: a short name for the event source, by which notifications and the other functions refer to it.
    public func registerEventSourceCallback(
        _ alias: String!, _ adapter: String!, _ eventsource: String!, _ eventSourceListener: (any EventListener)!
    ) {
        guard let listener = eventSourceListener else { return }
        register(alias, adapter, eventsource, .event(Handover(listener)))
    }

    /// Registers a listener in the form of IBM's samples; see the other function of this name.
    public func registerEventSourceCallback(
        _ alias: String!, _ adapter: String!, _ eventsource: String!,
        _ eventSourceListener: (any WLEventSourceListener)!
    ) {
        guard let listener = eventSourceListener else { return }
        register(alias, adapter, eventsource, .source(Handover(listener)))
    }

    func register(_ alias: String?, _ adapter: String?, _ eventSource: String?, _ listener: NotificationListener) {
        let registration = PushState.Registration(
            adapter: adapter ?? "", eventSource: eventSource ?? "", listener: listener)
        state.withLock { $0.registrations[alias ?? ""] = registration }
        deliverPending()
    }

    /// Subscribes the user to the event source of an alias (3.1.4). Before the device is ready, and for an alias that is not registered,
    /// the call fails without a request.
    public func subscribe(_ alias: String!, _ options: WLPushOptions!, _ responseListener: (any WLDelegate)!) {
        let alias = alias ?? ""
        let options = JSONText.text(of: WLPush.object(options?.getSubscriptionParameters()))
        client?.run(responseListener) { [self] core in
            try await subscribe(alias: alias, options: options, core)
        }
    }

    /// Returns whether the user is subscribed to the event source of an alias, without a request (3.1.5).
    public func isSubscribed(_ alias: String!) -> Bool {
        state.withLock { state in state.subscriptions.contains { $0.alias == alias } }
    }

    /// Returns whether the application's environment supports push notifications; browser environments do not (3.1.6).
    public func isPushSupported() -> Bool {
        (try? client?.core())?.settings.supportsPush ?? false
    }

    /// Ends the user's subscription to the event source of an alias (3.1.7).
    public func unsubscribe(_ alias: String!, _ responseListener: (any WLDelegate)!) {
        let alias = alias ?? ""
        client?.run(responseListener) { [self] core in
            try await unsubscribe(alias: alias, core)
        }
    }

    // MARK: The server's part

    static func object(_ values: [AnyHashable: Any]?) -> [String: Any] {
        Dictionary((values ?? [:]).map { ("\($0.key.base)", $0.value) }) { first, _ in first }
    }

    func subscribe(alias: String, options: String?, _ core: ClientCore) async throws -> WLAnswer {
        try await core.requireConnection(for: "subscribe")
        let (isReady, registration) = state.withLock { ($0.isReady, $0.registrations[alias]) }
        guard isReady else {
            throw WLError(
                WLErrorCodeUnexpectedError,
                "subscribe: the device is not ready: connect, pass its token to setTokenFromClient, "
                    + "and wait for onReadyToSubscribe"
            )
        }
        guard let registration else { throw WLPush.unknown(alias, "subscribe") }
        return try await subscribe(
            PushState.Subscription(
                alias: alias, adapter: registration.adapter, eventSource: registration.eventSource), options: options,
            core)
    }

    func subscribe(_ wanted: PushState.Subscription, options: String?, _ core: ClientCore) async throws -> WLAnswer {
        guard let options else {
            throw WLError(
                WLErrorCodeUnexpectedError, "subscribe: the options have a value that JSON cannot represent")
        }
        let answer = try await core.act(
            "notifications",
            [
                WireField("adapter", wanted.adapter), WireField("eventSource", wanted.eventSource),
                WireField("alias", wanted.alias), WireField("subscribe", options),
            ])
        state.withLock { $0.add(wanted) }
        deliverPending()
        return answer
    }

    func unsubscribe(alias: String, _ core: ClientCore) async throws -> WLAnswer {
        try await core.requireConnection(for: "unsubscribe")
        let known = state.withLock { state in
            state.registrations[alias].map { ($0.adapter, $0.eventSource) }
                ?? state.subscriptions.first { $0.alias == alias }.map { ($0.adapter, $0.eventSource) }
        }
        guard let (adapter, eventSource) = known else { throw WLPush.unknown(alias, "unsubscribe") }
        return try await unsubscribe(adapter: adapter, eventSource: eventSource, alias: alias, core)
    }

    func unsubscribe(adapter: String, eventSource: String, alias: String, _ core: ClientCore) async throws -> WLAnswer {
        let answer = try await core.act(
            "notifications",
            [
                WireField("adapter", adapter), WireField("eventSource", eventSource), WireField("alias", alias),
                WireField("unsubscribe", "{}"),
            ])
        state.withLock { $0.remove(adapter: adapter, eventSource: eventSource) }
        return answer
    }

    private static func unknown(_ alias: String, _ call: String) -> WLError {
        WLError(
            WLErrorCodeUnexpectedError,
            "\(call): no event source is registered under the alias '\(alias)': call registerEventSourceCallback first")
    }
}
