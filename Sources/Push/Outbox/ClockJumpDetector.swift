import Core
import Foundation
import PushModel

/// Detects that the machine's clock was set forward, by comparison with the monotonic clock.
struct ClockJumpDetector {
    /// A clock that differs by less since it was last looked at, in seconds, was not set but brought into step.
    private static let tolerance = 5.0

    /// The clock was set forward: what it said before, and by how many seconds.
    private struct ClockJump {
        let before: Date
        let seconds: Double
    }

    private var offset: Double
    private var leaps: [ClockJump] = []

    init(_ time: any TimeSource) {
        offset = Self.offset(time)
    }

    /// Looks at the clock.
    mutating func look(_ time: any TimeSource) {
        let new = Self.offset(time)
        let change = new - offset
        offset = new
        guard change > Self.tolerance else { return }
        leaps.append(ClockJump(before: time.now.addingTimeInterval(-change), seconds: change))
    }

    /// When a delivery expires by the clock as it is. What was made before the clock was set forward has as long to live as
    /// it would have had.
    func expiry(of delivery: Delivery) -> Date {
        guard !leaps.isEmpty else { return delivery.expiresAt }
        let missed = leaps.reduce(0) { $0 + ($1.before >= delivery.createdAt ? $1.seconds : 0) }
        return delivery.expiresAt.addingTimeInterval(missed)
    }

    private static func offset(_ time: any TimeSource) -> Double {
        time.now.timeIntervalSince1970 - time.uptime.inSeconds
    }
}
