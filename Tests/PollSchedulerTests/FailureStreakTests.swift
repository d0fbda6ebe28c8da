import Foundation
import Testing

@testable import PollScheduler

@Suite("Failures in a row")
struct FailureStreakTests {
    @Test("those of an earlier process count, but the reason is logged again")
    func earlierProcess() {
        var streak = FailureStreak(count: 4)
        #expect(
            streak.failed(because: "no route", at: Date(), uptime: .zero)
                == "failed 5 times in a row, this time: no route")
    }

    @Test("a success ends them and says how many there were")
    func success() {
        var streak = FailureStreak(count: 4)
        #expect(streak.succeeded() == 4)
        #expect(streak.succeeded() == 0)
        #expect(streak.failed(because: "no route", at: Date(), uptime: .zero) == "failed: no route")
    }

    @Test("those of a minute are logged together, with the last reason")
    func minute() {
        var streak = FailureStreak()
        let texts = (0...26).map { number in
            streak.failed(because: "status \(500 + number)", at: Date(), uptime: .seconds(5 * number))
        }
        #expect(texts[0] == "failed: status 500")
        #expect(texts[12] == "failed 12 times in the last 60 s: status 512")
        #expect(texts[24] == "failed 12 times in the last 60 s: status 524")
        #expect(texts.compactMap(\.self).count == 3)
        #expect(streak.count == 27)
    }

    @Test("one that comes a minute or more after the last is logged at once, with its reason")
    func rare() {
        var streak = FailureStreak()
        _ = streak.failed(because: "no route", at: Date(), uptime: .zero)
        #expect(
            streak.failed(because: "no route", at: Date(), uptime: .seconds(60)) == "failed 2 times in a row: no route")
    }

    @Test("after a success the next is logged at once")
    func afterSuccess() {
        var streak = FailureStreak()
        _ = streak.failed(because: "no route", at: Date(), uptime: .zero)
        _ = streak.succeeded()
        #expect(streak.failed(because: "status 500", at: Date(), uptime: .seconds(1)) == "failed: status 500")
    }
}
