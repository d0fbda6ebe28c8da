/// The family of devices a subscription comes from; it decides which push service carries the notification.
///
/// The raw value is what an adapter reads in `deviceSubscription.platform`. `Android` is documented (seed 000), the
/// others are not recorded anywhere (server-api 9, point 4): they follow IBM's names for the families.
public enum Platform: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// iPhone and iPad, through APNs.
    case apple = "Apple"
    /// Android, through Firebase Cloud Messaging (once GCM).
    case android = "Android"
    /// Windows 8 and later and universal apps on Windows Phone 8.1, through WNS.
    case windows = "Windows"
    /// Windows Phone 8, through MPNS, which Microsoft has shut down.
    case windowsPhone = "WindowsPhone"
    /// A page in a browser, through Web Push. The original had none.
    case web = "Web"

    /// Reads a platform as users and clients write it: the raw values, the environment names of wire-protocol 1 (`iphone`, `iOSnative`,
    /// `Androidnative`, `windows8`, `WindowsPhone8native`, ...) and the services' names, in any case.
    public init?(_ text: String) {
        switch text.lowercased() {
        case "apple", "ios", "iphone", "ipad", "iosnative", "apns": self = .apple
        case "android", "androidnative", "gcm", "fcm", "google": self = .android
        case "windows", "windows8", "windows8native", "windowsphoneuniversal", "wns": self = .windows
        case "windowsphone", "windowsphone8", "windowsphone8native", "mpns": self = .windowsPhone
        case "web", "webpush": self = .web
        default: return nil
        }
    }

    public var description: String { rawValue }

    /// Lists platforms for messages, such as `Apple, Android or Web`.
    package static func list(_ platforms: [Platform]) -> String {
        let names = platforms.map(\.rawValue)
        return [names.dropLast().joined(separator: ", "), names.last ?? ""].filter { !$0.isEmpty }
            .joined(separator: " or ")
    }

    /// The platforms that `sendMessage` can name.
    package static var withLetters: [Platform] { allCases.filter { $0.letter != nil } }

    /// The letter that names the platform in `sendMessage`: its push service's first; `W` since 7.0. `nil` if it has none.
    package var letter: String? {
        switch self {
        case .apple: "A"
        case .android: "G"
        case .windows: "W"
        case .windowsPhone: "M"
        case .web: nil
        }
    }

    /// The number of its ``DeliveryChannel``. The store keeps it, so it never changes; 5 is that of text messages.
    var channelNumber: Int {
        switch self {
        case .apple: 1
        case .android: 2
        case .windows: 3
        case .windowsPhone: 4
        case .web: 6
        }
    }
}

/// A push service, by its name in the log, in the store and in messages.
///
/// A structure and not an enumeration, so that a stored request of a service that was removed can still be read.
public struct PushService: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// Apple's, for iPhones and iPads.
    public static let apns = PushService(rawValue: "APNs")
    /// Firebase Cloud Messaging, for Android.
    public static let fcm = PushService(rawValue: "FCM")
    /// The Windows Push Notification Services.
    public static let wns = PushService(rawValue: "WNS")
    /// The gateways for text messages.
    public static let sms = PushService(rawValue: "SMS")
    /// Those of browsers, for pages.
    public static let webPush = PushService(rawValue: "Web Push")

    /// The name.
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }
}
