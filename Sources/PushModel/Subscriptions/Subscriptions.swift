public import Core

/// A user's intent to be notified by one event source, with a state of the adapter's own (server-api 2.7).
///
/// It exists from the user's first device subscription to the last.
public struct UserSubscription: Sendable, Hashable {
    public let eventSource: EventSourceID
    public let userID: String
    /// The adapter's data: any JSON object, kept by `userSubscription.save()`.
    public var state: JSONValue

    public init(eventSource: EventSourceID, userID: String, state: JSONValue = [:]) {
        self.eventSource = eventSource
        self.userID = userID
        self.state = state
    }
}

/// One app on one device that belongs to a user subscription.
public struct DeviceSubscription: Sendable, Hashable {
    public let eventSource: EventSourceID
    public let userID: String
    /// The realm in which the user was logged in; `nil` as in ``RealmUser/realm``. Adapters do not see it.
    public var userRealm: String?
    /// The device realm's id of the device.
    public let deviceID: String
    /// The `id` of the application descriptor.
    public let applicationID: String
    /// The client's own name for the event source; it travels with every notification so that the client finds the
    /// callback.
    public var alias: String
    public var platform: Platform
    public var token: DeviceToken
    /// The options that the client passed to `subscribe`: `alert`, `badge`, `sound` and custom keys.
    public var options: JSONValue

    public init(
        eventSource: EventSourceID, userID: String, userRealm: String? = nil, deviceID: String, applicationID: String,
        alias: String, platform: Platform, token: DeviceToken, options: JSONValue
    ) {
        self.eventSource = eventSource
        self.userID = userID
        self.userRealm = userRealm
        self.deviceID = deviceID
        self.applicationID = applicationID
        self.alias = alias
        self.platform = platform
        self.token = token
        self.options = options
    }
}
