public import Core

public import struct Foundation.Date
public import struct Foundation.UUID
public import typealias Foundation.uuid_t

/// The delivery of one notification to one app on one device.
public struct Delivery: Sendable, Hashable {
    /// The id of this delivery. Each attempt sends the same one (`apns-id`), so that a repeat can be recognised.
    public let id: UUID
    /// Shared by all deliveries of one `notify*` or `sendMessage` call.
    public let notificationID: UUID
    /// The notification's content; shared by all its deliveries.
    public let content: NotificationContent
    /// The recipient: in a claimed delivery its current state, else its state when the delivery was made.
    public package(set) var target: DeliveryTarget
    /// The reason why a claimed delivery must not be attempted: its recipient has unsubscribed since it was made. The store keeps nothing
    /// of it.
    public package(set) var withdrawal: String?
    /// The time of the call of `notify*` or `sendMessage`.
    public let createdAt: Date
    /// The time after which it is not delivered any more.
    public let expiresAt: Date
    public var state: DeliveryState
    /// The number of attempts that have begun.
    public var attempts: Int
    /// The time of the next attempt while it is queued, of the lease's end while it is being sent, and of the delivery's end after that.
    public var due: Date
    /// The time at which it was delivered, refused or expired.
    public var endedAt: Date?
    /// The reason why it was refused, or why the last attempt did not succeed.
    public var reason: String?
    /// The push service's id of the message, if it returned one.
    public var serviceID: String?
    /// The requests of the last attempt, where they are kept (``DeliveryReport/requests``).
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

/// A store's number for a delivery or its claim, `nil` before it is stored or claimed. Two deliveries are equal
/// even if their numbers differ.
package struct StoreNumber: Sendable, Hashable {
    package let value: Int64?

    package init(_ value: Int64? = nil) {
        self.value = value
    }

    package static func == (one: StoreNumber, other: StoreNumber) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

/// Takes the notifications that `notify*` makes.
///
/// Synchronous, like the stores: when ``submit(_:)`` returns, the deliveries are committed and outlive this process; after
/// ``flush()`` they outlive a power failure as well.
public protocol NotificationSink: Sendable {
    /// Commits the deliveries, all or none, and starts to deliver them.
    ///
    /// - Returns: how many milliseconds the caller should wait before it submits more; 0 when there is no need
    ///   (server-api 2.8).
    /// - Throws: ``StoreError``.
    func submit(_ deliveries: [Delivery]) throws(StoreError) -> Int

    /// Returns when everything submitted so far is on the disk.
    ///
    /// - Throws: ``StoreError``.
    func flush() throws(StoreError)
}

extension UUID {
    /// A new random id. `UUID()` opens and closes a device file for each on Linux, which takes several times as long; a
    /// notification to a hundred thousand devices needs as many.
    static func fresh() -> UUID {
        var generator = SystemRandomNumberGenerator()
        let halves = (generator.next() as UInt64, generator.next() as UInt64)
        var bytes = withUnsafeBytes(of: halves) { $0.loadUnaligned(as: uuid_t.self) }
        // Version 4, variant 1 (RFC 9562).
        bytes.6 = bytes.6 & 0x0F | 0x40
        bytes.8 = bytes.8 & 0x3F | 0x80
        return UUID(uuid: bytes)
    }
}
