public import struct Foundation.Date
public import struct Foundation.UUID

/// Records the messages requested through the management interface, so that a repeated request does not send again.
///
/// Synchronous, transactional and callable from any thread, like ``SubscriptionStore``.
public protocol MessageStore: Sendable {
    /// Records a message before it is sent.
    ///
    /// - Parameter date: idempotency keys of messages requested earlier can be used again.
    /// - Returns: the earlier message with the same idempotency key; `nil` when this message was recorded.
    /// - Throws: ``StoreError``.
    func note(_ message: SentMessage, keysSince date: Date) throws(StoreError) -> SentMessage?

    /// Returns the message with an id, or `nil`.
    ///
    /// - Throws: ``StoreError``.
    func message(_ id: UUID) throws(StoreError) -> SentMessage?

    /// Deletes messages requested before `date`.
    ///
    /// - Returns: the number of deleted messages.
    /// - Throws: ``StoreError``.
    func purgeMessages(before date: Date) throws(StoreError) -> Int
}

/// A message requested through the management interface.
public struct SentMessage: Sendable, Hashable {
    /// The ``Delivery/notificationID`` of its deliveries.
    public let id: UUID
    public let applicationID: String
    /// The client's key for the request; `nil` for none.
    public let idempotencyKey: String?
    /// A hash of the request, which detects another request under the same key.
    public let digest: String
    public let createdAt: Date
    /// True if its broadcast has begun (``BroadcastStore/begin(_:)``), which happens once.
    public let isBegun: Bool

    public init(
        id: UUID = UUID(), applicationID: String, idempotencyKey: String?, digest: String, createdAt: Date,
        isBegun: Bool = false
    ) {
        self.isBegun = isBegun
        (self.id, self.applicationID, self.idempotencyKey) = (id, applicationID, idempotencyKey)
        (self.digest, self.createdAt) = (digest, createdAt)
    }
}
