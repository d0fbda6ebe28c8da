import PollScheduler
import Testing

@Suite("A poll's interval")
struct PollScheduleTests {
    @Test("may be anything from a millisecond to years", arguments: [0.001, 0.25, 3, 259_200, 315_360_000])
    func accepted(interval: Double) {
        #expect(PollSchedule(eventSource: mail, interval: interval)?.interval == interval)
    }

    @Test(
        "is refused when it is not a sensible number of seconds",
        arguments: [0, -1, 0.0001, 1e12, .infinity, -.infinity, .nan]
    )
    func refused(interval: Double) {
        #expect(PollSchedule(eventSource: mail, interval: interval) == nil)
    }
}
