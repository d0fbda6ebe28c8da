public import struct Foundation.Date
public import struct Foundation.UUID

/// Keeps which messages were asked for over the management interface, so that a request that is repeated sends nothing again.
///
/// Synchronous, transactional and callable from any thread, like ``SubscriptionStore``.
public protocol MessageStore: Sendable {
    /// Notes a message before it is sent.
    ///
    /// - Returns: the message that is known by the same idempotency key already; `nil` when this one was noted.
    /// - Throws: ``StoreError``.
    func note(_ message: SentMessage) throws(StoreError) -> SentMessage?

    /// The message of an id; `nil` when none is known.
    ///
    /// - Throws: ``StoreError``.
    func message(_ id: UUID) throws(StoreError) -> SentMessage?

    /// Forgets messages that were asked for before `date`, and their idempotency keys.
    ///
    /// - Returns: how many were forgotten.
    /// - Throws: ``StoreError``.
    func purgeMessages(before date: Date) throws(StoreError) -> Int
}

/// A message that was asked for.
public struct SentMessage: Sendable, Hashable {
    /// The ``Delivery/notificationID`` of its deliveries.
    public let id: UUID
    public let applicationID: String
    /// By which whoever asked knows the request; `nil` for none.
    public let idempotencyKey: String?
    /// Tells requests with one key apart.
    public let digest: String
    public let createdAt: Date

    public init(id: UUID = UUID(), applicationID: String, idempotencyKey: String?, digest: String, createdAt: Date) {
        (self.id, self.applicationID, self.idempotencyKey) = (id, applicationID, idempotencyKey)
        (self.digest, self.createdAt) = (digest, createdAt)
    }
}
