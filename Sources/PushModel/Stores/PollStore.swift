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
    /// - Throws: ``StoreError``.
    func savePollRecords(_ records: [PollRecord]) throws(StoreError)
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
