/// A request to a push service, whole: what would go over the wire, byte for byte, and nothing that is secret.
public struct PushRequest: Sendable, Hashable, Codable {
    /// One header field.
    public struct Header: Sendable, Hashable, Codable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The service that gets it.
    public let service: PushService
    public let method: String
    public let url: String
    /// In the order in which they are sent. Credentials are added by the transport and never stand here.
    public let headers: [Header]
    public let body: String

    public init(service: PushService, method: String, url: String, headers: [Header], body: String) {
        self.service = service
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// A push service, by the name that people, the log and the requests in the store know.
///
/// A structure and not an enumeration, so that a stored request of a service which is no more can still be read.
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
