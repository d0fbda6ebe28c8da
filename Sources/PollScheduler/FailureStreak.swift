import struct Foundation.Date

/// The failures of a poll in a row, and how the log words them.
struct FailureStreak: Sendable, Hashable {
    /// When the first of them ended; `nil` without any, and where an earlier process had it.
    private(set) var since: Date?
    /// How many there have been since the last success.
    private(set) var count: Int
    private(set) var lastReason: String?
    /// When a failure was last logged, in uptime; `nil` before the first in this process.
    private var logged: Duration?
    /// How many failures were not logged since.
    private var unlogged = 0

    /// Further failures are logged together, once in this time.
    private static let logPause = Duration.seconds(60)

    /// - Parameter count: the failures of an earlier process, whose reasons are not known here.
    init(count: Int = 0) {
        self.count = count
    }

    /// Counts a failure, and words it at once when it is the first, and later once a minute with those between.
    ///
    /// - Returns: The end of a log line that begins with what failed; `nil` when the failure is not to be logged now.
    mutating func failed(because reason: String, at date: Date, uptime: Duration) -> String? {
        count += 1
        lastReason = reason
        guard let logged else {
            self.logged = uptime
            if count == 1 { since = date }
            return count == 1 ? "failed: \(reason)" : "failed \(count) times in a row, this time: \(reason)"
        }
        unlogged += 1
        let pause = uptime - logged
        guard pause >= Self.logPause else { return nil }
        defer { (self.logged, unlogged) = (uptime, 0) }
        if unlogged == 1 { return "failed \(count) times in a row: \(reason)" }
        return "failed \(unlogged) times in the last \(pause.components.seconds) s: \(reason)"
    }

    /// Ends the streak.
    ///
    /// - Returns: How many failures it had; 0 when all was well already.
    mutating func succeeded() -> Int {
        defer { self = FailureStreak() }
        return count
    }
}
