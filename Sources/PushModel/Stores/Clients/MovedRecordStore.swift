public import Core

/// Takes devices and subscriptions of another server, such as the original's.
///
/// Synchronous, transactional and callable from any thread, like ``SubscriptionStore``.
public protocol MovedRecordStore: Sendable {
    /// Adds the records that the store lacks, in one transaction. It changes and removes nothing: a device that has registered here, or a
    /// user who has subscribed here, is more recent than the records. No callbacks are owed.
    ///
    /// Tokens count as unconfirmed: the first response of a push service that a token is invalid removes the device. A device with a user
    /// is shown only to clients that prove that they own it (``DeviceClaim``).
    ///
    /// - Returns: the outcome of each record, in their order.
    /// - Throws: ``StoreError``. Then no record of the call was added.
    func add(_ records: [MovedRecord]) throws(StoreError) -> [MovedRecordOutcome]
}

/// A device or a phone number of another server, with its subscription.
public enum MovedRecord: Sendable, Hashable {
    /// A device with its tags, and with the user's state if the user is subscribed to an event source.
    case device(DeviceRegistration, tags: [String], subscription: DeviceSubscription?, state: JSONValue?)
    case phoneNumber(SMSSubscription)
}

/// The result for a ``MovedRecord``.
public enum MovedRecordOutcome: Sendable, Hashable {
    /// At least a part of it is new.
    case added
    /// The store has all of it.
    case known
    /// The store has something else, which was kept.
    case kept(Reason)

    public enum Reason: String, Sendable, Hashable, CaseIterable {
        case otherToken = "the device has another token here"
        case otherUser = "another user has the device here"
        case otherDevice = "another device has the token here"
        case otherAlias = "the device has the alias for another event source here"
        case otherNumber = "the phone number has another user here"
    }
}
