public import Core

public import struct Foundation.UUID

/// Keeps user and device subscriptions.
///
/// All calls are synchronous: the bindings that need them run on a script's own thread and must have the result before they return to the script.
/// Callers on Swift's cooperative threads hop to a thread that may block first.
///
/// Every mutation is one transaction. All members may be called from any thread.
public protocol SubscriptionStore: Sendable {
    /// Adds or updates a device subscription, and its user subscription with the first device.
    ///
    /// Registers the device as well (``RegistrationStore``). Idempotent: a repetition changes nothing. The same
    /// transaction removes any subscription of the same device and application to the same event source by *another* user, and any
    /// of the same user, device and application that has the same alias for another event source (wire-protocol 4.2). A user
    /// subscription without devices is removed too.
    ///
    /// - Parameter change: the caller's id of the change. With one, the callbacks of the change are recorded as owed
    ///   (``PendingCallback``) in the same transaction; the caller runs and settles them. Without one nothing is recorded.
    /// - Throws: ``StoreError``.
    func subscribe(_ subscription: DeviceSubscription, owing change: UUID?) throws(StoreError) -> SubscribeOutcome

    /// Removes one device subscription, and its user subscription with the last device.
    ///
    /// - Parameter change: see ``subscribe(_:owing:)``.
    /// - Returns: what was removed, or `nil` when there was no such subscription.
    /// - Throws: ``StoreError``.
    func unsubscribe(
        eventSource: EventSourceID, userID: String, deviceID: String, applicationID: String, owing change: UUID?
    ) throws(StoreError) -> RemovedSubscription?

    /// The user subscription, or `nil` when the user has no device there.
    ///
    /// - Throws: ``StoreError``.
    func userSubscription(eventSource: EventSourceID, userID: String) throws(StoreError) -> UserSubscription?

    /// Replaces a user subscription's state.
    ///
    /// - Returns: whether the user subscription still exists.
    /// - Throws: ``StoreError``.
    func saveState(_ state: JSONValue, eventSource: EventSourceID, userID: String) throws(StoreError) -> Bool

    /// The device subscriptions that match, ordered by event source, user, device and application.
    ///
    /// - Throws: ``StoreError``.
    func deviceSubscriptions(matching filter: SubscriptionFilter) throws(StoreError) -> [DeviceSubscription]

    /// Returns the devices of a user that are subscribed to an event source, then the phone numbers, ordered by event source and digits.
    ///
    /// - Parameter eventSource: `nil` for any.
    /// - Throws: ``StoreError``.
    func targets(of eventSource: EventSourceID?, userID: String) throws(StoreError) -> [DeliveryTarget]

    /// A page of the owed callbacks, oldest first.
    ///
    /// - Parameters:
    ///   - adapters: the adapters of the event sources; all when `nil`.
    ///   - position: ``PendingCallbackPage/next`` of the page before; the oldest when `nil`.
    ///   - limit: at most so many callbacks.
    /// - Throws: ``StoreError``.
    func pendingCallbacks(
        of adapters: Set<String>?, from position: Int64?, limit: Int
    ) throws(StoreError) -> PendingCallbackPage

    /// Returns the owed callbacks of the same user and event source that other changes recorded before a callback, newest first;
    /// none when the callback itself is not owed.
    ///
    /// - Parameter limit: the largest number of callbacks; `nil` for all.
    /// - Throws: ``StoreError``.
    func pendingCallbacks(before callback: PendingCallback, limit: Int?) throws(StoreError) -> [PendingCallback]

    /// Returns true if a callback is still owed.
    ///
    /// - Throws: ``StoreError``.
    func isCallbackPending(_ callback: PendingCallback.ID) throws(StoreError) -> Bool

    /// Forgets a callback that has run. After a power failure, not after the death of the process, the callback may be owed
    /// again.
    ///
    /// - Throws: ``StoreError``.
    func settle(_ callback: PendingCallback.ID) throws(StoreError)

    /// Returns the number of owed callbacks of each adapter that owes some.
    ///
    /// - Parameter adapters: the adapters to leave out.
    /// - Throws: ``StoreError``.
    func pendingCallbackCounts(exceptOf adapters: Set<String>) throws(StoreError) -> [String: Int]

    /// Drops the callbacks that an adapter owes.
    ///
    /// - Returns: the number of dropped callbacks.
    /// - Throws: ``StoreError``.
    func dropPendingCallbacks(of adapter: String) throws(StoreError) -> Int
}

/// A filter for device subscriptions. A member that is `nil` matches everything.
public struct SubscriptionFilter: Sendable, Hashable {
    public var adapter: String?
    public var eventSource: EventSourceID?
    public var userID: String?
    public var deviceID: String?
    public var applicationID: String?

    public init(
        adapter: String? = nil, eventSource: EventSourceID? = nil, userID: String? = nil, deviceID: String? = nil,
        applicationID: String? = nil
    ) {
        self.adapter = adapter
        self.eventSource = eventSource
        self.userID = userID
        self.deviceID = deviceID
        self.applicationID = applicationID
    }
}

/// The result of ``SubscriptionStore/subscribe(_:owing:)``.
public struct SubscribeOutcome: Sendable, Hashable {
    public enum Change: Sendable, Hashable {
        /// The device subscription is new.
        case created
        /// It was there with another alias, platform or options.
        case updated
        /// It was there; at most its token is new.
        case unchanged
    }

    public let change: Change
    /// True if the user subscription was created with this device.
    public let isFirstDeviceOfUser: Bool
    /// The user subscription as it is now.
    public let userSubscription: UserSubscription
    /// The subscriptions that were removed to make room, in the order of their removal.
    public let removed: [RemovedSubscription]

    public init(
        change: Change, isFirstDeviceOfUser: Bool, userSubscription: UserSubscription, removed: [RemovedSubscription]
    ) {
        self.change = change
        self.isFirstDeviceOfUser = isFirstDeviceOfUser
        self.userSubscription = userSubscription
        self.removed = removed
    }
}

/// A removed device subscription.
public struct RemovedSubscription: Sendable, Hashable {
    public let deviceSubscription: DeviceSubscription
    /// The user subscription it belonged to, before the removal.
    public let userSubscription: UserSubscription
    /// True if the user subscription was removed with it.
    public let wasLastDeviceOfUser: Bool

    public init(deviceSubscription: DeviceSubscription, userSubscription: UserSubscription, wasLastDeviceOfUser: Bool) {
        self.deviceSubscription = deviceSubscription
        self.userSubscription = userSubscription
        self.wasLastDeviceOfUser = wasLastDeviceOfUser
    }
}
