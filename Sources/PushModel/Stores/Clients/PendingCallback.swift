public import struct Foundation.UUID

/// A callback of an event source that has to run because of a change of subscriptions.
///
/// The store records it in the transaction that makes the change, and keeps it until the callback has run. A process that
/// dies in between leaves it to the next one, so each callback runs at least once.
public struct PendingCallback: Sendable, Hashable {
    /// Names the callback: the change that caused it, and its number among the callbacks of that change.
    public struct ID: Sendable, Hashable {
        /// The id that the caller assigned to the change.
        public let change: UUID
        /// Counts from 0, in the order in which the callbacks run.
        public let number: Int

        public init(change: UUID, number: Int) {
            self.change = change
            self.number = number
        }
    }

    public let id: ID
    public let event: SubscriptionEvent

    public init(id: ID, event: SubscriptionEvent) {
        self.id = id
        self.event = event
    }
}

/// A change of one device's subscription, as adapters learn of it.
public enum SubscriptionEvent: Sendable, Hashable {
    /// Runs `onUserSubscribe` if the device is the user's first, then `onDeviceSubscribe`.
    case subscribed(DeviceSubscription, of: UserSubscription, isFirstDeviceOfUser: Bool)
    /// Runs `onDeviceUnsubscribe`, then `onUserUnsubscribe` if the device was the user's last.
    case unsubscribed(RemovedSubscription)

    public var deviceSubscription: DeviceSubscription {
        switch self {
        case .subscribed(let subscription, _, _): subscription
        case .unsubscribed(let removed): removed.deviceSubscription
        }
    }
}

/// A page of the callbacks that are owed, oldest first.
public struct PendingCallbackPage: Sendable {
    public let callbacks: [PendingCallback]
    /// The start of the next page; `nil` at the end.
    public let next: Int64?

    public init(callbacks: [PendingCallback], next: Int64?) {
        self.callbacks = callbacks
        self.next = next
    }
}

extension SubscribeOutcome {
    /// The changes of which adapters learn, in order.
    public func events(of subscription: DeviceSubscription) -> [SubscriptionEvent] {
        let ended = removed.map { SubscriptionEvent.unsubscribed($0) }
        guard change != .unchanged else { return ended }
        return ended + [
            .subscribed(subscription, of: userSubscription, isFirstDeviceOfUser: isFirstDeviceOfUser)
        ]
    }
}
