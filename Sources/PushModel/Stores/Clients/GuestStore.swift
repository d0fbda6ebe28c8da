/// Counts the data that clients without a user have stored. Such data has limits, because anybody on the net can store it.
///
/// Synchronous, transactional and callable from any thread, like ``SubscriptionStore``.
public protocol GuestStore: Sendable {
    /// Returns the number of bytes that clients without a user have stored from one network, and in all.
    ///
    /// The store sums all rows once a minute. In between, newly noted rows are added, and deleted ones still count.
    ///
    /// - Parameter network: `nil` for this machine, whose part is always 0.
    /// - Throws: ``StoreError``.
    func guestUsage(of network: String?) throws(StoreError) -> (own: Int, all: Int)

    /// Notes that a client without a user has made rows, or changed them. They count until they are deleted. A row that has been
    /// deleted since does not count.
    ///
    /// - Parameter network: where the client came from; `nil` for this machine.
    /// - Throws: ``StoreError``.
    func noteGuest(_ rows: [GuestRow], of network: String?) throws(StoreError)

    /// Notes that rows are a user's now.
    ///
    /// - Throws: ``StoreError``.
    func releaseGuest(_ rows: [GuestRow]) throws(StoreError)
}

/// A row that a client without a user made.
public enum GuestRow: Sendable {
    /// A device's registration with its tags.
    case device(DeviceRegistration)
    case subscription(DeviceSubscription)
    case sms(eventSource: EventSourceID, number: PhoneNumber, user: String)
    case preference(Preference, of: PreferenceOwner)
}
