public import PushModel

public import struct Foundation.Date

/// The status of one event source's poll, for health checks and the console.
public struct PollStatus: Sendable, Hashable {
    /// The event source that is polled.
    public let eventSource: EventSourceID
    /// The wait between the end of one run and the start of the next, in seconds.
    public let interval: Double
    /// The start of the next run; `nil` while one is running, since the wait begins when it has ended.
    public let nextDue: Date?
    /// The start of the current run; `nil` when none is running.
    public let runningSince: Date?
    /// The end of the last run, also in an earlier process; `nil` before the first.
    public let lastEnded: Date?
    /// The number of failed runs since the last successful one, earlier processes included.
    public let consecutiveFailures: Int
    /// The end of the first of these failures; `nil` without failures, and when it was in an earlier process.
    public let failingSince: Date?
    /// The reason why the last run failed; `nil` without failures in this process.
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
