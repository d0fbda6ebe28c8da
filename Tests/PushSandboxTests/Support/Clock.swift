import Foundation
import Synchronization

/// The time of day, which a test sets forward.
///
/// It goes on: tokens of the test have the machine's time, and a sandbox takes long to start on a busy machine.
final class Clock: Sendable {
    private let ahead = Mutex<TimeInterval>(0)

    var now: Date { Date().addingTimeInterval(ahead.withLock { $0 }) }

    func advance(by seconds: TimeInterval) { ahead.withLock { $0 += seconds } }
}
