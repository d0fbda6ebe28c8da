/// Keeps which phone numbers are notified by which event sources (server-api 2.9).
///
/// Synchronous, transactional and callable from any thread, like ``SubscriptionStore``. A user subscription lives as long
/// as the user has a device or a phone number there.
public protocol SMSSubscriptionStore: Sendable {
    /// Adds or updates the subscription of a number to an event source, and its user subscription with the first device or
    /// number. When the number belonged to another user there, that subscription is removed first.
    ///
    /// - Throws: ``StoreError``.
    func subscribe(_ subscription: SMSSubscription) throws(StoreError)

    /// Removes a number's subscription, and its user subscription with the last device or number.
    ///
    /// - Returns: whether there was such a subscription.
    /// - Throws: ``StoreError``.
    func unsubscribe(
        eventSource: EventSourceID, phoneNumber: PhoneNumber
    ) throws(StoreError) -> Bool

    /// - Returns: the subscription, or `nil` when there is none.
    /// - Throws: ``StoreError``.
    func smsSubscription(eventSource: EventSourceID, phoneNumber: PhoneNumber) throws(StoreError) -> SMSSubscription?
}
