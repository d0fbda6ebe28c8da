/// One app on one device that can be sent notifications, whether or not it subscribed to an event source.
///
/// A client registers with its token (server-api 3, `updateToken`) and with every subscription; broadcasts and tags
/// (server-api 2.8, `sendMessage`) go to registrations.
public struct DeviceRegistration: Sendable, Hashable {
    /// The `id` of the application descriptor.
    public let applicationID: String
    /// The device realm's id of the device.
    public let deviceID: String
    /// The last user of the app, if known.
    public var userID: String?
    /// The realm in which that user was logged in; `nil` as in ``RealmUser/realm``.
    public var userRealm: String?
    public var platform: Platform
    public var token: DeviceToken

    public init(
        applicationID: String, deviceID: String, userID: String? = nil, userRealm: String? = nil, platform: Platform,
        token: DeviceToken
    ) {
        self.applicationID = applicationID
        self.deviceID = deviceID
        self.userID = userID
        self.userRealm = userRealm
        self.platform = platform
        self.token = token
    }

    /// The registration that comes with a subscription to an event source.
    public init(_ subscription: DeviceSubscription) {
        self.init(
            applicationID: subscription.applicationID, deviceID: subscription.deviceID, userID: subscription.userID,
            userRealm: subscription.userRealm, platform: subscription.platform, token: subscription.token)
    }
}
