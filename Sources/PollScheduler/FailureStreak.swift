import struct Foundation.Date

/// Failures in a row, and how to word each of them so that the same trouble is told in full only once.
struct FailureStreak: Sendable, Hashable {
    /// When the first of them ended; `nil` without any, and where an earlier process had it.
    private(set) var since: Date?
    /// How many there have been since the last success.
    private(set) var count: Int
    private(set) var lastReason: String?

    /// - Parameter count: the failures of an earlier process, whose reasons are not known here.
    init(count: Int = 0) {
        self.count = count
    }

    /// Counts a failure.
    ///
    /// - Returns: The end of a log line that begins with what failed.
    mutating func failed(because reason: String, at date: Date? = nil) -> String {
        count += 1
        if count == 1 { since = date }
        defer { lastReason = reason }
        if reason == lastReason { return "failed \(count) times in a row" }
        return count == 1 ? "failed: \(reason)" : "failed \(count) times in a row, this time: \(reason)"
    }

    /// Ends the streak.
    ///
    /// - Returns: How many failures it had; 0 when all was well already.
    mutating func succeeded() -> Int {
        defer { self = FailureStreak() }
        return count
    }
}
