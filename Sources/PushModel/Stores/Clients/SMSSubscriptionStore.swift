/// Keeps which phone numbers are notified by which event sources (server-api 2.9).
///
/// Synchronous, transactional and callable from any thread, like ``SubscriptionStore``. A user subscription lives as long
/// as the user has a device or a phone number there.
public protocol SMSSubscriptionStore: Sendable {
    /// Adds or updates the subscription of a number to an event source, and its user subscription with the first device or
    /// number. When the number belonged to another user there, that subscription is removed first.
    ///
    /// - Throws: ``StoreError``.
    func subscribe(_ subscription: SMSSubscription) throws(StoreError) -> SMSSubscribeOutcome

    /// Removes a number's subscription, and its user subscription with the last device or number.
    ///
    /// - Returns: what was removed, or `nil` when there was no such subscription.
    /// - Throws: ``StoreError``.
    func unsubscribe(
        eventSource: EventSourceID, phoneNumber: PhoneNumber
    ) throws(StoreError) -> RemovedSMSSubscription?

    /// - Returns: the subscription, or `nil` when there is none.
    /// - Throws: ``StoreError``.
    func smsSubscription(eventSource: EventSourceID, phoneNumber: PhoneNumber) throws(StoreError) -> SMSSubscription?

    /// The numbers of a user, ordered by event source and digits.
    ///
    /// - Parameter eventSource: only those subscribed to it; all when `nil`.
    /// - Throws: ``StoreError``.
    func smsSubscriptions(eventSource: EventSourceID?, userID: String) throws(StoreError) -> [SMSSubscription]

    /// Returns the SMS subscriptions that match, ordered by event source and digits. A filter with a device matches none.
    ///
    /// - Throws: ``StoreError``.
    func smsSubscriptions(matching filter: SubscriptionFilter) throws(StoreError) -> [SMSSubscription]
}

/// What ``SMSSubscriptionStore/subscribe(_:)`` did.
public struct SMSSubscribeOutcome: Sendable, Hashable {
    public let change: SubscribeOutcome.Change
    /// Whether the user subscription came into being with this number.
    public let isFirstDeviceOfUser: Bool
    /// The user subscription as it is now.
    public let userSubscription: UserSubscription
    /// The number's subscription by another user, which had to go.
    public let removed: RemovedSMSSubscription?

    public init(
        change: SubscribeOutcome.Change, isFirstDeviceOfUser: Bool, userSubscription: UserSubscription,
        removed: RemovedSMSSubscription?
    ) {
        self.change = change
        self.isFirstDeviceOfUser = isFirstDeviceOfUser
        self.userSubscription = userSubscription
        self.removed = removed
    }
}

/// An SMS subscription that is no more.
public struct RemovedSMSSubscription: Sendable, Hashable {
    public let subscription: SMSSubscription
    /// The user subscription it belonged to, before the removal.
    public let userSubscription: UserSubscription
    /// Whether the user subscription went with it.
    public let wasLastDeviceOfUser: Bool

    public init(subscription: SMSSubscription, userSubscription: UserSubscription, wasLastDeviceOfUser: Bool) {
        self.subscription = subscription
        self.userSubscription = userSubscription
        self.wasLastDeviceOfUser = wasLastDeviceOfUser
    }
}
