public import struct Foundation.Date
public import struct Foundation.UUID

/// A part of a list.
public struct ListPage<Item: Sendable, Position: Sendable>: Sendable {
    public let items: [Item]
    /// The start of the next page; `nil` at the end. A page may be empty although more follow.
    public let next: Position?

    public init(items: [Item], next: Position?) {
        (self.items, self.next) = (items, next)
    }
}

/// The deliveries of a list; a member that is `nil` matches everything.
public struct DeliveryFilter: Sendable, Hashable {
    public var state: DeliveryState?
    public var userID: String?
    public var deviceID: String?
    public var applicationID: String?
    public var notificationID: UUID?
    /// Only deliveries created at this time or later.
    public var since: Date?
    /// Only deliveries created before this time.
    public var until: Date?

    public init(
        state: DeliveryState? = nil, userID: String? = nil, deviceID: String? = nil, applicationID: String? = nil,
        notificationID: UUID? = nil, since: Date? = nil, until: Date? = nil
    ) {
        (self.state, self.userID, self.deviceID, self.applicationID) = (state, userID, deviceID, applicationID)
        (self.notificationID, self.since, self.until) = (notificationID, since, until)
    }
}

/// The registered devices of a list; a member that is `nil` matches everything.
public struct DeviceFilter: Sendable, Hashable {
    public var applicationID: String?
    /// The prefix of the device ids to list; it is case-sensitive.
    public var idPrefix: String?
    public var userID: String?
    public var platform: Platform?
    /// Only devices that subscribed to this tag.
    public var tag: String?

    public init(
        applicationID: String? = nil, idPrefix: String? = nil, userID: String? = nil, platform: Platform? = nil,
        tag: String? = nil
    ) {
        (self.applicationID, self.idPrefix, self.userID) = (applicationID, idPrefix, userID)
        (self.platform, self.tag) = (platform, tag)
    }
}

/// A position in the list of devices.
public struct DevicePosition: Sendable, Hashable {
    public let applicationID: String
    public let deviceID: String

    public init(applicationID: String, deviceID: String) {
        (self.applicationID, self.deviceID) = (applicationID, deviceID)
    }
}

/// A subscription of a device or of a phone number.
public enum AnySubscription: Sendable, Hashable {
    case device(DeviceSubscription)
    case sms(SMSSubscription)
}

/// The position of a subscription in a list: the key of its row.
public enum SubscriptionPosition: Sendable, Hashable {
    case device(EventSourceID, userID: String, deviceID: String, applicationID: String)
    /// - digits: empty for the beginning of the SMS subscriptions.
    case sms(EventSourceID, digits: String)
}

/// The number of rows in the tables of devices and subscriptions.
public struct RegistrationCounts: Sendable, Hashable {
    public let devices: Int
    public let subscriptions: Int
    public let smsSubscriptions: Int

    public init(devices: Int, subscriptions: Int, smsSubscriptions: Int) {
        (self.devices, self.subscriptions, self.smsSubscriptions) = (devices, subscriptions, smsSubscriptions)
    }
}

/// Lists devices, users and subscriptions for operators, in pages.
///
/// A filter that no index serves is applied to ``longestSearch`` rows for each page at most, so that a page takes the same
/// time however many rows there are.
///
/// Synchronous and callable from any thread, like ``SubscriptionStore``.
public protocol DirectoryStore: Sendable {
    /// Lists registered devices in the order of application and device.
    ///
    /// - Throws: ``StoreError``.
    func devices(
        matching filter: DeviceFilter, after position: DevicePosition?, limit: Int
    ) throws(StoreError) -> ListPage<DeviceRegistration, DevicePosition>

    /// Returns when the apps on devices last sent their tokens; devices of which that is not known are left out.
    ///
    /// - Throws: ``StoreError``.
    func lastSeen(_ devices: [DevicePosition]) throws(StoreError) -> [DevicePosition: Date]

    /// Lists the ids of users who have registered or subscribed, in their order.
    ///
    /// - Parameter prefix: only users whose id begins with this string; it is case-sensitive.
    /// - Throws: ``StoreError``.
    func users(
        startingWith prefix: String, after userID: String?, limit: Int
    ) throws(StoreError) -> ListPage<String, String>

    /// Lists the subscriptions of devices, ordered by event source, user, device and application, and then those of phone
    /// numbers, ordered by event source and digits.
    ///
    /// - Throws: ``StoreError``.
    func subscriptions(
        matching filter: SubscriptionFilter, after position: SubscriptionPosition?, limit: Int
    ) throws(StoreError) -> ListPage<AnySubscription, SubscriptionPosition>

    /// Counts the recipients of a message by their platforms, which reads all of them.
    ///
    /// - Returns: for each platform with recipients their number and one of them.
    /// - Throws: ``StoreError``.
    func recipients(
        of target: BroadcastTarget, applicationID: String
    ) throws(StoreError) -> [(count: Int, example: DeliveryTarget)]

    /// Counts devices and subscriptions, which reads all of them.
    ///
    /// - Throws: ``StoreError``.
    func registrationCounts() throws(StoreError) -> RegistrationCounts
}

/// The largest number of rows that a page of a list examines.
package let longestSearch = 10_000
