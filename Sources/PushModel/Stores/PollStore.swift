public import struct Foundation.Date

/// Keeps when each poll is due, so that an interval of days survives a restart.
///
/// Synchronous and callable from any thread, like ``SubscriptionStore``.
public protocol PollStore: Sendable {
    /// Returns the record of a source's polls, or `nil` when it has never been scheduled.
    ///
    /// - Throws: ``StoreError``.
    func pollRecord(of eventSource: EventSourceID) throws(StoreError) -> PollRecord?

    /// Replaces what is known of the sources' polls, in one transaction.
    ///
    /// - Parameter lease: the lease under which the polls ran; `nil` for a store that only one server uses.
    /// - Returns: `false` when the lease was lost; then nothing is saved.
    /// - Throws: ``StoreError``.
    func savePollRecords(_ records: [PollRecord], under lease: PollLease?) throws(StoreError) -> Bool

    /// Acquires or renews the lease of the polls. Of the servers that share a store, one holds it at a time.
    ///
    /// The store's clock decides when it expires. A server measures its own lease from before the call.
    ///
    /// - Parameters:
    ///   - former: the lease to renew. If another server has held the lease since, a new one is acquired when possible.
    ///   - holder: the server's name. After a restart, a server with the same name acquires the lease immediately.
    /// - Returns: `nil` while another server holds the lease.
    /// - Throws: ``StoreError``.
    func leasePolls(_ former: PollLease?, holder: String, for duration: Duration) throws(StoreError) -> PollLease?

    /// Releases the lease, unless another server holds it already.
    ///
    /// - Throws: ``StoreError``.
    func endPollLease(_ lease: PollLease) throws(StoreError)
}

/// The lease under which one server runs the polls.
public struct PollLease: Sendable, Hashable {
    /// Increases with every acquisition; renewals keep it.
    public let epoch: Int64
    /// The server's name.
    public let holder: String

    package init(epoch: Int64, holder: String) { (self.epoch, self.holder) = (epoch, holder) }
}

/// The last and the next run of one event source's poll.
public struct PollRecord: Sendable, Hashable {
    public let eventSource: EventSourceID
    /// The wait between the end of one run and the start of the next, in seconds, when `nextDue` was reckoned.
    public let interval: Double
    /// The end of the last run; `nil` before the first.
    public let lastEnded: Date?
    /// The start of the next run.
    public let nextDue: Date
    /// The number of failed runs since the last successful one.
    public let consecutiveFailures: Int

    public init(
        eventSource: EventSourceID, interval: Double, lastEnded: Date?, nextDue: Date, consecutiveFailures: Int
    ) {
        self.eventSource = eventSource
        self.interval = interval
        self.lastEnded = lastEnded
        self.nextDue = nextDue
        self.consecutiveFailures = consecutiveFailures
    }
}
