/// The target of a delivery.
public enum DeliveryTarget: Sendable, Hashable {
    /// A device that subscribed to the event source that notifies it.
    case subscription(DeviceSubscription)
    /// A registered device, by `sendMessage` (server-api 2.8).
    case registration(DeviceRegistration, by: MessageAddress)
    /// A phone number that subscribed to the event source that notifies it.
    case sms(SMSSubscription)

    /// The device's platform by name, or `SMS`.
    public var platformName: String {
        switch self {
        case .subscription(let subscription): subscription.platform.rawValue
        case .registration(let registration, _): registration.platform.rawValue
        case .sms: SMSSubscription.platformName
        }
    }

    /// The application on the device; `nil` for a number that an adapter subscribed.
    public var applicationID: String? {
        switch self {
        case .subscription(let subscription): subscription.applicationID
        case .registration(let registration, _): registration.applicationID
        case .sms(let subscription): subscription.applicationID
        }
    }

    /// The user, if known.
    public var userID: String? {
        switch self {
        case .subscription(let subscription): subscription.userID
        case .registration(let registration, _): registration.userID
        case .sms(let subscription): subscription.userID
        }
    }

    /// The device; `nil` for a phone number.
    public var deviceID: String? {
        switch self {
        case .subscription(let subscription): subscription.deviceID
        case .registration(let registration, _): registration.deviceID
        case .sms: nil
        }
    }

    /// The app's address at its push service; `nil` for a phone number.
    public var token: DeviceToken? {
        switch self {
        case .subscription(let subscription): subscription.token
        case .registration(let registration, _): registration.token
        case .sms: nil
        }
    }

    /// The event source that notifies; `nil` for `sendMessage`.
    public var eventSource: EventSourceID? {
        switch self {
        case .subscription(let subscription): subscription.eventSource
        case .registration: nil
        case .sms(let subscription): subscription.eventSource
        }
    }

    /// The device subscription, when it is one.
    public var subscription: DeviceSubscription? {
        if case .subscription(let subscription) = self { subscription } else { nil }
    }
}

/// The criterion by which `sendMessage` selected a device.
public enum MessageAddress: Sendable, Hashable {
    /// A tag; ``Tags/broadcast`` for a broadcast.
    case tag(String)
    /// The user of ``DeviceRegistration/userID``, and not a later user of the device.
    case user
    /// The device itself or its platform, for every user of it.
    case device

    /// The tag; `nil` when it was meant by something else.
    public var tag: String? {
        if case .tag(let tag) = self { tag } else { nil }
    }
}
