import Core

public import struct Foundation.Date
public import struct Foundation.UUID

/// Keeps which app runs on which device, and which tags it subscribed to.
///
/// Synchronous, transactional and callable from any thread, like ``SubscriptionStore``. ``SubscriptionStore/subscribe(_:owing:)``
/// registers the subscription's device too.
public protocol RegistrationStore: Sendable {
    /// Adds or updates a registration. A new one has the tag ``Tags/broadcast``.
    ///
    /// A user that is `nil` leaves the known one in place. A new token or platform also goes to the subscriptions to event
    /// sources that had the device's former token or are this user's, in the same transaction. The time is always recorded: the
    /// device has its token now (``unregister(applicationID:deviceID:token:notSince:owing:)``).
    ///
    /// - Returns: whether anything but that time changed.
    /// - Throws: ``StoreError``.
    @discardableResult
    func register(_ registration: DeviceRegistration) throws(StoreError) -> Bool

    /// Registers the device that a client claims to run on, as ``register(_:)`` does.
    ///
    /// The registration is that of the device the client owns (``DeviceClaim``); it gets the token, and the client owns it from
    /// then on. Without such a device, the device has the id that the client names if no device has it yet, or else a new id,
    /// ``DeviceClaim/anotherID()``. A client that owns the device only by its user moves only the subscriptions of its users to
    /// the token.
    ///
    /// - Parameter user: who uses the app.
    /// - Returns: the registration as it is now.
    /// - Throws: ``StoreError``.
    @discardableResult
    func register(
        _ claim: DeviceClaim, user: RealmUser?, platform: Platform, token: DeviceToken
    ) throws(StoreError) -> DeviceRegistration

    /// Replaces the installation id of registered devices (``DeviceClaim/installationID``).
    ///
    /// - Parameter token: only the device with this token is handed over; every device when `nil`.
    /// - Throws: ``StoreError``.
    func handOver(
        applicationID: String, from former: String, to installationID: String, token: DeviceToken?
    ) throws(StoreError)

    /// The registration of the device that a client owns.
    ///
    /// - Parameter token: the device's token, if the client shows one.
    /// - Returns: the registration; `nil` when the client owns no registered device of that id.
    /// - Throws: ``StoreError``.
    func registration(of claim: DeviceClaim, showing token: DeviceToken?) throws(StoreError) -> DeviceRegistration?

    /// The registration of the device that a client claims without a proof, where it may see what the device is subscribed to.
    ///
    /// - Returns: the device of the claimed id that registered last; `nil` when there is none, or when a checked user has
    ///   registered or subscribed on any device of that id.
    /// - Throws: ``StoreError``.
    func openRegistration(of claim: DeviceClaim) throws(StoreError) -> DeviceRegistration?

    /// Records that a user with a checked login uses a registered device: ``openRegistration(of:)`` no longer returns it.
    /// ``register(_:user:platform:token:)`` records that itself. It holds until the registration is removed.
    ///
    /// - Throws: ``StoreError``.
    func noteCheckedUser(applicationID: String, deviceID: String) throws(StoreError)

    /// Moves the subscriptions that a claim's users (``DeviceClaim/users``) have on devices of the claimed id to one of these
    /// devices, with its token. The device's registration is then that of the user.
    ///
    /// A user without a realm moves nothing. A subscription stays where it is if the user has one to that event source or with
    /// that alias on the device, or if another user is subscribed to the event source there. Callbacks do not run.
    ///
    /// - Returns: the number of subscriptions that were moved.
    /// - Throws: ``StoreError``.
    @discardableResult
    func moveSubscriptions(of claim: DeviceClaim, to device: DeviceRegistration) throws(StoreError) -> Int

    /// Removes a registration with its tags and the device's subscriptions to event sources: the app is gone from the
    /// device.
    ///
    /// - Parameters:
    ///   - token: when given, only what still has this token is removed. A push service speaks of the token that it was
    ///     sent, and the app may have got another meanwhile.
    ///   - notSince: when given, nothing is removed if the device registered or subscribed with the token after this time:
    ///     the app was gone then and is back. A later registration with another token does not protect subscriptions that
    ///     still have `token`.
    ///   - change: see ``SubscriptionStore/subscribe(_:owing:)``.
    /// - Returns: what was removed, or `nil` when there was nothing.
    /// - Throws: ``StoreError``.
    func unregister(
        applicationID: String, deviceID: String, token: DeviceToken?, notSince: Date?, owing change: UUID?
    ) throws(StoreError) -> RemovedRegistration?

    /// - Returns: the registration, or `nil` when there is none.
    /// - Throws: ``StoreError``.
    func registration(applicationID: String, deviceID: String) throws(StoreError) -> DeviceRegistration?

    /// Subscribes a registered device to a tag. The caller has checked that the application declares it; see ``Tags``.
    ///
    /// - Returns: whether the device is registered; otherwise nothing was done.
    /// - Throws: ``StoreError``.
    func subscribe(toTag tag: String, applicationID: String, deviceID: String) throws(StoreError) -> Bool

    /// Unsubscribes a device from a tag; from ``Tags/broadcast``, it gets no broadcasts until it subscribes again.
    ///
    /// - Returns: whether it was subscribed.
    /// - Throws: ``StoreError``.
    func unsubscribe(fromTag tag: String, applicationID: String, deviceID: String) throws(StoreError) -> Bool

    /// The tags of a device, ``Tags/broadcast`` among them, in alphabetical order.
    ///
    /// - Throws: ``StoreError``.
    func tags(applicationID: String, deviceID: String) throws(StoreError) -> [String]
}

/// A removed registration, with the subscriptions that were removed with it.
public struct RemovedRegistration: Sendable, Hashable {
    /// `nil` when the device had subscriptions to event sources only.
    public let registration: DeviceRegistration?
    public let subscriptions: [RemovedSubscription]

    public init(registration: DeviceRegistration?, subscriptions: [RemovedSubscription]) {
        self.registration = registration
        self.subscriptions = subscriptions
    }
}
