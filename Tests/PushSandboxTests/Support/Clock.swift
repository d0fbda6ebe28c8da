import Foundation
import Synchronization

/// A time of day that a test sets.
final class Clock: Sendable {
    private let state = Mutex(Date())

    var now: Date { state.withLock { $0 } }

    func advance(by seconds: TimeInterval) { state.withLock { $0.addTimeInterval(seconds) } }
}
