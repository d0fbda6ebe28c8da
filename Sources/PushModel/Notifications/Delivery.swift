public import struct Foundation.Date
public import struct Foundation.UUID

/// One notification on its way to one app on one device.
public struct Delivery: Sendable, Hashable {
    /// Names this delivery for ever; every attempt sends it along (`apns-id`), so that a repeat can be recognised.
    public let id: UUID
    /// Shared by all deliveries of one `notify*` or `sendMessage` call.
    public let notificationID: UUID
    /// The options in the form of `notify*`.
    public let options: JSONValue
    public let target: DeliveryTarget
    /// When `notify*` or `sendMessage` was called.
    public let createdAt: Date
    /// When it is no longer worth delivering.
    public let expiresAt: Date
    public var state: DeliveryState
    /// How many attempts have begun.
    public var attempts: Int
    /// When the next attempt is due while it is pending, when the lease ends while it is claimed.
    public var due: Date
    /// When it was delivered, refused or expired.
    public var endedAt: Date?
    /// Why it was refused, or why the last attempt did not succeed.
    public var reason: String?
    /// What the last attempt sent.
    public var requests: [PushRequest]

    /// A delivery that has not been attempted yet.
    public init(
        id: UUID = UUID(), notificationID: UUID, options: JSONValue, target: DeliveryTarget, createdAt: Date,
        expiresAt: Date
    ) {
        self.id = id
        self.notificationID = notificationID
        self.options = options
        self.target = target
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        state = .pending
        attempts = 0
        due = createdAt
        endedAt = nil
        reason = nil
        requests = []
    }

    /// A delivery to a device that subscribed to an event source.
    public init(
        id: UUID = UUID(), notificationID: UUID, options: JSONValue, subscription: DeviceSubscription, createdAt: Date,
        expiresAt: Date
    ) {
        self.init(
            id: id, notificationID: notificationID, options: options, target: .subscription(subscription),
            createdAt: createdAt, expiresAt: expiresAt)
    }
}

/// How far a delivery has come.
public enum DeliveryState: String, Sendable, Hashable, CaseIterable {
    /// It waits for its next attempt.
    case pending
    /// A worker holds it.
    case claimed
    /// A push service took it.
    case delivered
    /// A push service, or Lamplighter itself, refused it for good.
    case refused
    /// Its time to live ran out.
    case expired
}

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

    /// The service's name for people, for example "APNs".
    public let service: String
    public let method: String
    public let url: String
    /// In the order in which they are sent. Credentials are added by the transport and never stand here.
    public let headers: [Header]
    public let body: String

    public init(service: String, method: String, url: String, headers: [Header], body: String) {
        self.service = service
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}
