public import PushModel

public import struct Foundation.Date

/// How one event source's poll is doing, for health checks and the console.
public struct PollStatus: Sendable, Hashable {
    /// What is polled.
    public let eventSource: EventSourceID
    /// The wait between the end of one run and the start of the next, in seconds.
    public let interval: Double
    /// When the next run starts; `nil` while one is running, since the wait begins when it has ended.
    public let nextDue: Date?
    /// When the run that is going on was started; `nil` when none is.
    public let runningSince: Date?
    /// When the last run ended, also in an earlier process; `nil` before the first.
    public let lastEnded: Date?
    /// How many runs have failed since the last that did not, earlier processes included.
    public let consecutiveFailures: Int
    /// When the first of these failures ended; `nil` without failures, and when it was in an earlier process.
    public let failingSince: Date?
    /// Why the last run failed; `nil` without failures in this process.
    public let failure: String?

    public init(
        eventSource: EventSourceID, interval: Double, nextDue: Date?, runningSince: Date?, lastEnded: Date?,
        consecutiveFailures: Int, failingSince: Date? = nil, failure: String? = nil
    ) {
        self.eventSource = eventSource
        self.interval = interval
        self.nextDue = nextDue
        self.runningSince = runningSince
        self.lastEnded = lastEnded
        self.consecutiveFailures = consecutiveFailures
        (self.failingSince, self.failure) = (failingSince, failure)
    }
}
