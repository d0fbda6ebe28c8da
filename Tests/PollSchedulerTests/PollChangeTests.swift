import Core
import PollScheduler
import PushModel
import TestSupport
import Testing

@Suite("Changing what is polled", .defaultTimeLimit)
struct PollChangeTests {
    let fixture = PollFixture()

    @Test("a cancelled poll does not run any more")
    func cancel() async throws {
        try await fixture.whileRunning { scheduler in
            await scheduler.schedule(try poll(mail, every: 1))
            await scheduler.schedule(try poll(news, every: 1))
            try await fixture.pass(.seconds(2), inStepsOf: .seconds(1), scheduler)
            await scheduler.cancel(mail)
            try await fixture.pass(.seconds(2), inStepsOf: .seconds(1), scheduler)
            #expect(await scheduler.status().map(\.eventSource) == [news])
        }
        #expect(fixture.probe.starts(of: mail) == [1, 2])
        #expect(fixture.probe.starts(of: news) == [1, 2, 3, 4])
    }

    @Test("cancelling a poll that was never scheduled has no effect")
    func cancelUnknown() async throws {
        try await fixture.whilePolling(mail, every: 1) { scheduler in
            await scheduler.cancel(news)
            try await fixture.pass(.seconds(1), scheduler)
        }
        #expect(fixture.probe.starts(of: mail) == [1])
    }

    @Test("a poll cancelled while running is left to end, is stored, and does not run again")
    func cancelWhileRunning() async throws {
        try await fixture.whilePolling(mail, every: 1) { scheduler in
            fixture.probe.hold(mail)
            fixture.time.advance(by: .seconds(1))
            try await fixture.probe.waitForStart(of: mail)
            await scheduler.cancel(mail)
            #expect(await scheduler.status().map(\.eventSource) == [mail])
            fixture.probe.release(mail)
            let stored = try await fixture.store.waitForRecord(of: mail) { $0.lastEnded != nil }
            #expect(stored.nextDue == date(2))
            #expect(await scheduler.status() == [])
            try await fixture.time.waitForSleepers()
        }
        #expect(fixture.probe.starts(of: mail) == [1])
    }

    @Test("a poll cancelled and scheduled again while running does not overlap itself")
    func rescheduleWhileRunning() async throws {
        try await fixture.whilePolling(mail, every: 1) { scheduler in
            fixture.probe.hold(mail)
            fixture.time.advance(by: .seconds(1))
            try await fixture.probe.waitForStart(of: mail)
            await scheduler.cancel(mail)
            await scheduler.schedule(try poll(mail, every: 5))
            fixture.time.advance(by: .seconds(10))
            fixture.probe.release(mail)
            try await fixture.settle(scheduler)
            try await fixture.pass(.seconds(5), inStepsOf: .seconds(1), scheduler)
        }
        #expect(fixture.probe.starts(of: mail) == [1, 16])
        #expect(fixture.probe.mostAtOnce(of: mail) == 1)
    }

    @Test("a poll cancelled and scheduled again is due when it was")
    func rescheduleKeepsDue() async throws {
        try await fixture.whilePolling(mail, every: 10) { scheduler in
            try await fixture.pass(.seconds(4), scheduler)
            await scheduler.cancel(mail)
            await scheduler.schedule(try poll(mail, every: 10))
            try await fixture.time.waitForSleepers(until: 10)
        }
    }

    @Test("scheduling a poll again with the same interval changes nothing")
    func scheduleAgain() async throws {
        try await fixture.whilePolling(mail, every: 10) { scheduler in
            try await fixture.pass(.seconds(4), scheduler)
            await scheduler.schedule(try poll(mail, every: 10))
            try await fixture.pass(.seconds(6), inStepsOf: .seconds(1), scheduler)
        }
        #expect(fixture.probe.starts(of: mail) == [10])
    }

    @Test("scheduling a poll again after the clock was set does not move it")
    func scheduleAgainAfterClockSet() async throws {
        try await fixture.whilePolling(mail, every: 10) { scheduler in
            fixture.time.setClock(forwardBy: 7)
            await scheduler.schedule(try poll(mail, every: 10))
            #expect(await scheduler.status().first?.nextDue == date(17))
        }
    }

    @Test("a new interval counts from the end of the last run")
    func newInterval() async throws {
        try await fixture.whilePolling(mail, every: 10) { scheduler in
            try await fixture.pass(.seconds(14), inStepsOf: .seconds(1), scheduler)
            await scheduler.schedule(try poll(mail, every: 5))
            try await fixture.time.waitForSleepers(until: 15)
        }
    }

    @Test("status lists scheduled, running and failing polls")
    func status() async throws {
        fixture.probe.fail(mail, with: "TypeError")
        try await fixture.whileRunning { scheduler in
            await scheduler.schedule(try poll(news, every: 4))
            await scheduler.schedule(try poll(mail, every: 3))
            try await fixture.pass(.seconds(3), scheduler)
            fixture.probe.hold(news)
            fixture.time.advance(by: .seconds(1))
            try await fixture.probe.waitForStart(of: news)
            fixture.time.advance(by: .seconds(1))
            let status = await scheduler.status()
            #expect(
                status == [
                    PollStatus(
                        eventSource: mail, interval: 3, nextDue: date(6), runningSince: nil, lastEnded: date(3),
                        consecutiveFailures: 1, failingSince: date(3), failure: "TypeError"
                    ),
                    PollStatus(
                        eventSource: news, interval: 4, nextDue: nil, runningSince: date(4), lastEnded: nil,
                        consecutiveFailures: 0
                    ),
                ]
            )
        }
    }
}
