import Testing

@testable import PollScheduler

@Suite("Failures in a row")
struct FailureStreakTests {
    @Test("the first is told in full")
    func first() {
        var streak = FailureStreak()
        #expect(streak.failed(because: "no route") == "failed: no route")
    }

    @Test("the same again is told by its number only")
    func again() {
        var streak = FailureStreak()
        _ = streak.failed(because: "no route")
        #expect(streak.failed(because: "no route") == "failed 2 times in a row")
        #expect(streak.failed(because: "no route") == "failed 3 times in a row")
    }

    @Test("another reason is told in full")
    func otherReason() {
        var streak = FailureStreak()
        _ = streak.failed(because: "no route")
        #expect(streak.failed(because: "status 500") == "failed 2 times in a row, this time: status 500")
    }

    @Test("those of an earlier process count, but the reason is told again")
    func earlierProcess() {
        var streak = FailureStreak(count: 4)
        #expect(streak.failed(because: "no route") == "failed 5 times in a row, this time: no route")
    }

    @Test("a success ends them and says how many there were")
    func success() {
        var streak = FailureStreak(count: 4)
        #expect(streak.succeeded() == 4)
        #expect(streak.succeeded() == 0)
        #expect(streak.failed(because: "no route") == "failed: no route")
    }
}
