/// A channel to one push service. A failure on one channel does not delay the others.
public enum DeliveryChannel: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// To the devices of a platform.
    case devices(Platform)
    /// To phone numbers.
    case sms

    /// All channels, in the order of their numbers.
    public static let allCases: [DeliveryChannel] = {
        let all = Platform.allCases.map { DeliveryChannel.devices($0) } + [.sms]
        return all.sorted { $0.rawValue < $1.rawValue }
    }()

    public init(_ platform: Platform) {
        self = .devices(platform)
    }

    /// - Returns: nil when no channel has the number.
    public init?(rawValue: Int) {
        guard let channel = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = channel
    }

    /// The number that the store keeps.
    public var rawValue: Int {
        switch self {
        case .devices(let platform): platform.channelNumber
        case .sms: 5
        }
    }

    /// The platform of the devices that it leads to, `nil` for phone numbers.
    public var platform: Platform? {
        if case .devices(let platform) = self { platform } else { nil }
    }

    /// The name in metrics and traces, such as `apple`, `windowsPhone` or `sms`.
    public var description: String {
        guard let name = platform?.rawValue else { return "sms" }
        return name.prefix(1).lowercased() + name.dropFirst()
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
