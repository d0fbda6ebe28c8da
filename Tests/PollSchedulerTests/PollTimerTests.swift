import PollScheduler
import PushModel
import TestSupport
import Testing

@Suite("The one timer", .defaultTimeLimit)
struct PollTimerTests {
    let fixture = PollFixture()

    @Test("one task sleeps for any number of polls, until the earliest")
    func oneSleeper() async throws {
        let sources = (1...200).map { EventSourceID(adapter: "Adapter\($0)", name: "events") }
        try await fixture.whileRunning { scheduler in
            for (index, source) in sources.enumerated() {
                await scheduler.schedule(try poll(source, every: Double(300 - index)))
            }
            try await fixture.time.waitForSleepers(until: 101)
        }
    }

    @Test("an earlier poll resets it")
    func earlier() async throws {
        try await fixture.whilePolling(mail, every: 60) { scheduler in
            try await fixture.time.waitForSleepers(until: 60)
            await scheduler.schedule(try poll(news, every: 5))
            try await fixture.time.waitForSleepers(until: 5)
        }
    }

    @Test("a later poll leaves it alone")
    func later() async throws {
        try await fixture.whilePolling(mail, every: 5) { scheduler in
            await scheduler.schedule(try poll(news, every: 60))
            try await fixture.time.waitForSleepers(until: 5)
        }
    }

    @Test("removing the earliest poll sets it for the next")
    func earliestRemoved() async throws {
        try await fixture.whileRunning { scheduler in
            await scheduler.schedule(try poll(mail, every: 60))
            await scheduler.schedule(try poll(news, every: 5))
            try await fixture.time.waitForSleepers(until: 5)
            await scheduler.cancel(news)
            try await fixture.time.waitForSleepers(until: 60)
        }
    }

    @Test("the timer sleeps no more when the last poll is removed")
    func lastRemoved() async throws {
        try await fixture.whilePolling(mail, every: 60) { scheduler in
            try await fixture.time.waitForSleepers(until: 60)
            await scheduler.cancel(mail)
            try await fixture.time.waitForSleepers()
        }
    }

    @Test("it is set again when a run has ended")
    func afterRun() async throws {
        try await fixture.whilePolling(mail, every: 60) { scheduler in
            try await fixture.pass(.seconds(60), scheduler)
            try await fixture.time.waitForSleepers(until: 120)
        }
    }

    @Test("the timer sleeps no more once the scheduler has stopped")
    func stopped() async throws {
        try await fixture.whilePolling(mail, every: 60) { _ in
            try await fixture.time.waitForSleepers(until: 60)
        }
        try await fixture.time.waitForSleepers()
    }
}
