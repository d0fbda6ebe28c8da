public import PushModel

/// The schedule of the poll of an event source (server-api 2.7).
public struct PollSchedule: Sendable, Hashable {
    /// The intervals that can be scheduled, in seconds: from a millisecond to ten years.
    ///
    /// Below that a poll is a busy loop; above it the adapter most likely meant milliseconds.
    public static let intervals: ClosedRange<Double> = 0.001...315_360_000

    /// The event source that is polled.
    public let eventSource: EventSourceID
    /// The wait between the end of one run and the start of the next, in seconds; fractions count.
    public let interval: Double

    /// - Returns: `nil` when the interval is outside ``intervals``, or no number at all. Only the reader of the
    ///   adapter knows file and line, so it is the one to say so.
    public init?(eventSource: EventSourceID, interval: Double) {
        guard Self.intervals.contains(interval) else { return nil }
        self.eventSource = eventSource
        self.interval = interval
    }
}
