/// The moment when an operation must be over.
struct Deadline: Sendable {
    /// The whole time that the operation was given, for messages.
    let limit: Duration
    private let end: ContinuousClock.Instant

    init(in limit: Duration) {
        self.limit = limit
        end = .now + limit
    }

    var remaining: Duration { max(.zero, end - .now) }
    var hasPassed: Bool { end <= .now }

    /// At least 1 until the deadline has passed, so that nobody who waits spins.
    var remainingMilliseconds: Int32 {
        let (seconds, attoseconds) = remaining.components
        if seconds == 0, attoseconds == 0 { return 0 }
        return Int32(clamping: min(seconds, 2_000_000) * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
