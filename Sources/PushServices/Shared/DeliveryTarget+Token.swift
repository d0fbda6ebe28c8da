import PushModel

extension DeliveryTarget {
    /// The device's token; a phone number has none.
    var token: DeviceToken? {
        switch self {
        case .subscription(let subscription): subscription.token
        case .registration(let registration, _): registration.token
        case .sms: nil
        }
    }
}
