import Core
import Foundation
import PushModel

/// Detects that the machine's clock was set forward, by comparison with the monotonic clock.
struct ClockJumpDetector {
    /// The largest change since the last check that is a gradual adjustment of the clock and not a jump, in seconds.
    private static let tolerance = 5.0

    /// A forward change of the clock: the previous time and the number of seconds.
    private struct ClockJump {
        let before: Date
        let seconds: Double
    }

    private var offset: Double
    private var leaps: [ClockJump] = []

    init(_ time: any TimeSource) {
        offset = Self.offset(time)
    }

    /// Checks the clock.
    mutating func look(_ time: any TimeSource) {
        let new = Self.offset(time)
        let change = new - offset
        offset = new
        guard change > Self.tolerance else { return }
        leaps.append(ClockJump(before: time.now.addingTimeInterval(-change), seconds: change))
    }

    /// Returns the expiry of a delivery by the current clock. A delivery that was created before the clock was set forward keeps its time to live.
    func expiry(of delivery: Delivery) -> Date {
        guard !leaps.isEmpty else { return delivery.expiresAt }
        let missed = leaps.reduce(0) { $0 + ($1.before >= delivery.createdAt ? $1.seconds : 0) }
        return delivery.expiresAt.addingTimeInterval(missed)
    }

    private static func offset(_ time: any TimeSource) -> Double {
        time.now.timeIntervalSince1970 - time.uptime.inSeconds
    }
}
