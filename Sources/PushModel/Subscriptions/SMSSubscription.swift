/// A phone number that is notified by an event source through an SMS gateway (server-api 2.9).
///
/// To an adapter it is a device subscription like others (API62, `subscribeSMS`): it belongs to a user subscription, is among that user's devices,
/// and can be passed to `notifyDeviceSubscription`.
public struct SMSSubscription: Sendable, Hashable {
    /// The value that an adapter reads as its `platform`.
    public static let platformName = "SMS"

    public let eventSource: EventSourceID
    /// With the event source, the key: there is one subscription for both.
    public let phoneNumber: PhoneNumber
    /// The `id` of the gateway in `SMSConfig.xml`.
    public var gatewayID: String
    /// The subscriber. The number itself unless the request names a user, as in the original's servlet (DC71, `userName`).
    public var userID: String
    /// The realm in which that user was logged in; `nil` as in ``RealmUser/realm``.
    public var userRealm: String?
    /// The client's own name for the event source; `nil` when an adapter subscribed the number.
    public var alias: String?
    /// The application that subscribed; `nil` when an adapter did.
    public var applicationID: String?

    /// - Parameter userID: ``PhoneNumber/dialled`` when `nil`.
    public init(
        eventSource: EventSourceID, phoneNumber: PhoneNumber, gatewayID: String, userID: String? = nil,
        userRealm: String? = nil, alias: String? = nil, applicationID: String? = nil
    ) {
        self.eventSource = eventSource
        self.phoneNumber = phoneNumber
        self.gatewayID = gatewayID
        self.userID = userID ?? phoneNumber.dialled
        self.userRealm = userRealm
        self.alias = alias
        self.applicationID = applicationID
    }
}
