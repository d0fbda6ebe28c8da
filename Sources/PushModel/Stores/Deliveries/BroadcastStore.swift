public import struct Foundation.UUID

/// Turns broadcasts into deliveries, in steps of bounded size.
///
/// Each step is one transaction that makes some deliveries and notes how far the broadcast has come, so a process that
/// dies between two steps loses nothing and repeats nothing. Commits are as durable as those of ``Outbox/enqueue(_:)``:
/// ``Outbox/flush()`` has them on the disk.
///
/// A device that registers while a broadcast is under way may or may not get it.
public protocol BroadcastStore: Sendable {
    /// Commits a broadcast without any delivery yet. Beginning one that is known changes nothing, nor does beginning that of a
    /// ``SentMessage`` a second time.
    ///
    /// - Throws: ``StoreError``.
    func begin(_ broadcast: Broadcast) throws(StoreError)

    /// Makes up to `limit` more deliveries of a broadcast, and ends it after the last.
    ///
    /// - Returns: what the step did, or `nil` when the broadcast has ended or never began.
    /// - Throws: ``StoreError``.
    func expandBroadcast(_ id: UUID, limit: Int) throws(StoreError) -> BroadcastStep?

    /// Ends a broadcast. The deliveries that it has made stay.
    ///
    /// - Throws: ``StoreError``.
    func endBroadcast(_ id: UUID) throws(StoreError)

    /// The broadcasts that have not ended, oldest first.
    ///
    /// - Throws: ``StoreError``.
    func unfinishedBroadcasts() throws(StoreError) -> [UUID]
}

/// The result of one step of a broadcast.
public struct BroadcastStep: Sendable, Hashable {
    /// The number of deliveries that it made; it may be 0 although more steps follow.
    public let enqueued: Int
    /// True if this was the last step.
    public let isLast: Bool

    public init(enqueued: Int, isLast: Bool) {
        self.enqueued = enqueued
        self.isLast = isLast
    }
}
