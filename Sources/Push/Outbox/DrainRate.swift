import Core
import Foundation

/// A rate that follows recent work: each second counts less the longer ago it is, by a factor e in ten seconds.
///
/// Idle time does not count. Otherwise a worker that had nothing to do for a while would look slow.
struct DrainRate {
    private static let memory = 10.0

    private var drained: Double
    private var seconds = 1.0
    private var uptime: Duration

    /// - Parameter assumed: the rate per second to begin with, which counts like a second's observation.
    init(uptime: Duration, assumed: Double = 200) {
        self.uptime = uptime
        drained = assumed
    }

    /// How many a second.
    var perSecond: Double { drained / seconds }

    /// Lets time go by.
    mutating func advance(to now: Duration, isBusy: Bool) {
        let elapsed = (now - uptime).inSeconds
        uptime = now
        guard isBusy, elapsed > 0 else { return }
        let remaining = exp(-elapsed / Self.memory)
        drained *= remaining
        seconds = seconds * remaining + Self.memory * (1 - remaining)
    }

    mutating func drained(_ count: Int) {
        drained += Double(count)
    }
}
