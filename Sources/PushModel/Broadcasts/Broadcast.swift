public import Core

public import struct Foundation.Date
public import struct Foundation.UUID

/// A message of `sendMessage` whose deliveries are being created.
public struct Broadcast: Sendable, Hashable {
    /// The ``Delivery/notificationID`` of all its deliveries.
    public let id: UUID
    /// The application whose registered devices get the message.
    public let applicationID: String
    public let target: BroadcastTarget
    /// In the form of `notify*`; see ``BroadcastMessage/options``.
    public let options: JSONValue
    /// The time of the call of `sendMessage`.
    public let createdAt: Date
    /// The time after which it is not delivered any more.
    public let expiresAt: Date

    public init(
        id: UUID = UUID(), applicationID: String, target: BroadcastTarget, options: JSONValue, createdAt: Date,
        expiresAt: Date
    ) {
        self.id = id
        self.applicationID = applicationID
        self.target = target
        self.options = options
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// The broadcast of a message that is sent `now`.
    public init(_ message: BroadcastMessage, applicationID: String, now: Date) {
        self.init(
            applicationID: applicationID, target: message.target, options: message.options, createdAt: now,
            expiresAt: now.addingTimeInterval(message.timeToLive))
    }
}
