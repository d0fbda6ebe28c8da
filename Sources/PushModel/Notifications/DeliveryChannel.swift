/// One of the ways out, each to a push service of its own. What goes wrong on one holds nothing up on another.
///
/// The raw values stand in the store and are never changed.
public enum DeliveryChannel: Int, Sendable, Hashable, CaseIterable {
    case apple = 1
    case android = 2
    case windows = 3
    case windowsPhone = 4
    case sms = 5
    case web = 6

    public init(_ platform: Platform) {
        self =
            switch platform {
            case .apple: .apple
            case .android: .android
            case .windows: .windows
            case .windowsPhone: .windowsPhone
            case .web: .web
            }
    }

    /// The platform of the devices that it leads to, `nil` for phone numbers.
    public var platform: Platform? {
        switch self {
        case .apple: .apple
        case .android: .android
        case .windows: .windows
        case .windowsPhone: .windowsPhone
        case .sms: nil
        case .web: .web
        }
    }
}

extension Set<DeliveryChannel> {
    /// Every channel.
    public static let all = Set(DeliveryChannel.allCases)
}

extension DeliveryTarget {
    /// The way to it.
    public var channel: DeliveryChannel {
        switch self {
        case .subscription(let subscription): DeliveryChannel(subscription.platform)
        case .registration(let registration, _): DeliveryChannel(registration.platform)
        case .sms: .sms
        }
    }
}
