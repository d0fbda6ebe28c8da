public import struct Foundation.Date

/// Keeps when each poll is due, so that an interval of days survives a restart.
///
/// Synchronous and callable from any thread, like ``SubscriptionStore``.
public protocol PollStore: Sendable {
    /// What is known of a source's polls, or `nil` when it has never been scheduled.
    ///
    /// - Throws: ``StoreError``.
    func pollRecord(of eventSource: EventSourceID) throws(StoreError) -> PollRecord?

    /// Replaces what is known of the sources' polls, in one transaction.
    ///
    /// - Parameter lease: the one under which they ran; `nil` where only one server can have the store.
    /// - Returns: whether the lease still holds; otherwise nothing was saved.
    /// - Throws: ``StoreError``.
    func savePollRecords(_ records: [PollRecord], under lease: PollLease?) throws(StoreError) -> Bool

    /// Takes the right to run the polls, which one of the servers that share a store has at a time; or renews it.
    ///
    /// The clock is the store's. A server reckons its own lease from before it asked.
    ///
    /// - Parameters:
    ///   - former: the lease to renew. When another server has had one since, this takes a new one, if it can.
    ///   - holder: the server's name. A server that starts again under its old name takes over at once.
    /// - Returns: `nil` while another server has it.
    /// - Throws: ``StoreError``.
    func leasePolls(_ former: PollLease?, holder: String, for duration: Duration) throws(StoreError) -> PollLease?

    /// Gives up the right to run the polls, unless another server has it already.
    ///
    /// - Throws: ``StoreError``.
    func endPollLease(_ lease: PollLease) throws(StoreError)
}

extension PollStore {
    /// Replaces what is known of the sources' polls, where only one server can have the store.
    ///
    /// - Throws: ``StoreError``.
    public func savePollRecords(_ records: [PollRecord]) throws(StoreError) {
        _ = try savePollRecords(records, under: nil)
    }
}

/// The right to run the polls.
public struct PollLease: Sendable, Hashable {
    /// Rises whenever another server gets it, or the same after a restart.
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
    /// When the last run ended; `nil` before the first.
    public let lastEnded: Date?
    /// When the next run starts.
    public let nextDue: Date
    /// How many runs have failed since the last that did not.
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
