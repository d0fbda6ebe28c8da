public import Core

public import struct Foundation.Date
public import struct Foundation.UUID

/// One notification on its way to one app on one device.
public struct Delivery: Sendable, Hashable {
    /// The id of this delivery. Each attempt sends the same one (`apns-id`), so that a repeat can be recognised.
    public let id: UUID
    /// Shared by all deliveries of one `notify*` or `sendMessage` call.
    public let notificationID: UUID
    /// What it says; shared by all deliveries of the notification.
    public let content: NotificationContent
    /// Who gets it: in a claimed delivery as they are now, else as they were when it was made.
    public package(set) var target: DeliveryTarget
    /// Why a claimed delivery must not be attempted: its recipient has unsubscribed since it was made. The store keeps nothing
    /// of it.
    public package(set) var withdrawal: String?
    /// When `notify*` or `sendMessage` was called.
    public let createdAt: Date
    /// When it is no longer worth delivering.
    public let expiresAt: Date
    public var state: DeliveryState
    /// How many attempts have begun.
    public var attempts: Int
    /// When the next attempt is due while it is queued, when the lease ends while it is being sent, when it ended after
    /// that.
    public var due: Date
    /// When it was delivered, refused or expired.
    public var endedAt: Date?
    /// Why it was refused, or why the last attempt did not succeed.
    public var reason: String?
    /// By what the push service knows it, where the service tells.
    public var serviceID: String?
    /// What the last attempt sent, as far as it is kept (``DeliveryReport/requests``).
    public var requests: [PushRequest]
    /// The failed attempts, oldest first: the newest ``DeliveryFailure/limit``. Empty in claimed deliveries.
    public var failures: [DeliveryFailure]
    /// The store's own number for it, by which ``Outbox/record(_:worker:)`` finds it.
    package var number = StoreNumber()
    /// The number of the delivery to the same recipient that must end before this queued one is sent; `nil` when a worker has not
    /// seen that it has to wait.
    package var waitsFor = StoreNumber()
    /// Which of its claims this is, from 1. The store drops reports about an earlier one.
    package var claim = StoreNumber()

    /// The options in the form of `notify*`.
    public var options: JSONValue { content.options }

    /// A delivery that has not been attempted yet.
    ///
    /// - Parameter id: a new one when `nil`.
    public init(
        id: UUID? = nil, notificationID: UUID, content: NotificationContent, target: DeliveryTarget, createdAt: Date,
        expiresAt: Date
    ) {
        self.id = id ?? .fresh()
        self.notificationID = notificationID
        self.content = content
        self.target = target
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        state = .queued
        attempts = 0
        due = createdAt
        endedAt = nil
        reason = nil
        serviceID = nil
        requests = []
        failures = []
    }

    /// A delivery that has not been attempted yet, of a notification with these options.
    public init(
        id: UUID? = nil, notificationID: UUID, options: JSONValue, target: DeliveryTarget, createdAt: Date,
        expiresAt: Date
    ) {
        self.init(
            id: id, notificationID: notificationID, content: NotificationContent(options), target: target,
            createdAt: createdAt, expiresAt: expiresAt)
    }

    /// A delivery to a device that subscribed to an event source.
    public init(
        id: UUID? = nil, notificationID: UUID, options: JSONValue, subscription: DeviceSubscription, createdAt: Date,
        expiresAt: Date
    ) {
        self.init(
            id: id, notificationID: notificationID, options: options, target: .subscription(subscription),
            createdAt: createdAt, expiresAt: expiresAt)
    }
}

/// A store's number for a delivery or its claim, `nil` before it is stored or claimed. It says nothing about the delivery, so two
/// deliveries are the same whatever their numbers.
package struct StoreNumber: Sendable, Hashable {
    package let value: Int64?

    package init(_ value: Int64? = nil) {
        self.value = value
    }

    package static func == (one: StoreNumber, other: StoreNumber) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
