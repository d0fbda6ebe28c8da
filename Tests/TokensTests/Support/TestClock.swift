import Foundation
import Synchronization

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
    /// 14 November 2023, 22:13:20 UTC.
    static let start = Date(timeIntervalSince1970: 1_700_000_000)

    private let time = Mutex(TestClock.start)

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: Double) { time.withLock { $0 += seconds } }
}
