/// The state of a client's push notifications.
struct PushState: Sendable {
    /// A subscription of the user on this device.
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

    /// The maximum number of notifications that wait for a listener. The oldest ones are dropped first.
    static let mostPending = 100

    /// The device's token from the system.
    var deviceToken: String?
    /// The device's token that the server has.
    var serverToken: String?
    /// True if the server has sent its state at a connect.
    var isTold = false
    var isUpdating = false
    var isReady = false
    var subscriptions: [Subscription] = []
    var registrations: [String: Registration] = [:]
    var pending: [WLNotification] = []
    var listener: Handover<any WLOnReadyToSubscribeListener>?
    /// The number of connects for which the server has sent its state.
    var connects = 0
    var readyWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var waiters = 0

    var isTokenKnown: Bool {
        guard let deviceToken, let serverToken else { return false }
        return deviceToken.lowercased() == serverToken.lowercased()
    }

    /// Adds a subscription. It replaces those with the same alias or the same event source (wire-protocol 4.2).
    mutating func add(_ subscription: Subscription) {
        remove(adapter: subscription.adapter, eventSource: subscription.eventSource)
        subscriptions.removeAll { $0.alias == subscription.alias }
        subscriptions.append(subscription)
    }

    mutating func remove(adapter: String, eventSource: String) {
        subscriptions.removeAll { $0.adapter == adapter && $0.eventSource == eventSource }
    }

    /// Returns the listener that is registered for an alias; `nil` when there is none, or when the alias is not subscribed.
    func listener(of alias: String) -> NotificationListener? {
        guard subscriptions.contains(where: { $0.alias == alias }) else { return nil }
        return registrations[alias]?.listener
    }
}
