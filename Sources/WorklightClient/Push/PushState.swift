/// What a client knows of its notifications.
struct PushState: Sendable {
    /// One subscription of this user on this device.
    struct Subscription: Sendable, Equatable {
        let alias: String
        let adapter: String
        let eventSource: String
    }

    struct Registration: Sendable {
        let adapter: String
        let eventSource: String
        let listener: NotificationListener
    }

    /// As many notifications wait for a listener; more push the oldest ones out.
    static let mostPending = 100

    /// What the system gave to this device.
    var deviceToken: String?
    /// What the server has for it.
    var serverToken: String?
    /// Whether the server has said what it has.
    var isTold = false
    var isUpdating = false
    var isReady = false
    var subscriptions: [Subscription] = []
    var registrations: [String: Registration] = [:]
    var pending: [WLNotification] = []
    var listener: Handover<any WLOnReadyToSubscribeListener>?
    /// The number of answers to connects.
    var connects = 0
    var readyWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var waiters = 0

    var isTokenKnown: Bool {
        guard let deviceToken, let serverToken else { return false }
        return deviceToken.lowercased() == serverToken.lowercased()
    }

    /// The same alias, or the same event source, replaces the subscription before (wire-protocol 4.2).
    mutating func add(_ subscription: Subscription) {
        remove(adapter: subscription.adapter, eventSource: subscription.eventSource)
        subscriptions.removeAll { $0.alias == subscription.alias }
        subscriptions.append(subscription)
    }

    mutating func remove(adapter: String, eventSource: String) {
        subscriptions.removeAll { $0.adapter == adapter && $0.eventSource == eventSource }
    }

    /// Returns the listener of a notification: the one that is registered for its alias, once that is subscribed to.
    func listener(of alias: String) -> NotificationListener? {
        guard subscriptions.contains(where: { $0.alias == alias }) else { return nil }
        return registrations[alias]?.listener
    }
}
