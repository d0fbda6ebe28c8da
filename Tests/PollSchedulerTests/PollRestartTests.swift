import Core
import PollScheduler
import PushModel
import TestSupport
import Testing

import struct Foundation.Date

@Suite("When a poll is due once it is scheduled", .defaultTimeLimit)
struct PollRestartTests {
    private static let day = 86_400.0

    /// Returns when a poll with this record is due, in seconds from now.
    private func due(after record: PollRecord?, every interval: Double) async throws -> Double {
        let store = InMemoryPollStore()
        if let record { store.state.update { $0.records[record.eventSource] = record } }
        let scheduler = PollFixture(store: store).makeScheduler()
        await scheduler.schedule(try poll(mail, every: interval))
        return try #require(await scheduler.status().first?.nextDue).timeIntervalSince(ManualTime.start)
    }

    private func record(every interval: Double, lastEnded: Double?, nextDue: Double) -> PollRecord {
        PollRecord(
            eventSource: mail, interval: interval, lastEnded: lastEnded.map(date), nextDue: date(nextDue),
            consecutiveFailures: 0
        )
    }

    @Test("a new poll is due after one interval")
    func firstEver() async throws {
        #expect(try await due(after: nil, every: 60) == 60)
    }

    @Test("a known poll is due at its stored time")
    func known() async throws {
        #expect(try await due(after: record(every: 60, lastEnded: -20, nextDue: 40), every: 60) == 40)
    }

    @Test("a missed poll is due at once")
    func missed() async throws {
        #expect(try await due(after: record(every: 60, lastEnded: -300, nextDue: -240), every: 60) == 0)
    }

    @Test("a poll with a longer interval is due one new interval after its last run")
    func longer() async throws {
        #expect(try await due(after: record(every: 60, lastEnded: -20, nextDue: 40), every: 90) == 70)
    }

    @Test("a poll with a shorter interval is due one new interval after its last run")
    func shorter() async throws {
        #expect(try await due(after: record(every: 60, lastEnded: -20, nextDue: 40), every: 30) == 10)
    }

    @Test("a poll is due at once if its new interval has passed since its last run")
    func shorterAndMissed() async throws {
        #expect(try await due(after: record(every: 60, lastEnded: -20, nextDue: 40), every: 10) == 0)
    }

    @Test("a poll that has not run is due one new interval after the server first scheduled it")
    func changedBeforeFirstRun() async throws {
        #expect(try await due(after: record(every: 60, lastEnded: nil, nextDue: 40), every: 90) == 70)
    }

    @Test("a poll stored far in the future by a wrong clock is due after one interval")
    func wrongClock() async throws {
        let years = 20 * 365 * Self.day
        #expect(try await due(after: record(every: 60, lastEnded: years - 60, nextDue: years), every: 60) == 60)
    }

    @Test("a poll stored far in the future is due after its new interval")
    func wrongClockAndChanged() async throws {
        let years = 20 * 365 * Self.day
        #expect(try await due(after: record(every: 60, lastEnded: years - 60, nextDue: years), every: 90) == 90)
        #expect(try await due(after: record(every: 60, lastEnded: nil, nextDue: years), every: 90) == 90)
    }

    @Test("a corrected date is stored")
    func correctionStored() async throws {
        let fixture = PollFixture(store: InMemoryPollStore(record(every: 60, lastEnded: 9_000, nextDue: 9_060)))
        await fixture.makeScheduler().schedule(try poll(mail, every: 60))
        let stored = try await fixture.store.waitForRecord(of: mail) { $0.nextDue == date(60) }
        #expect(stored.lastEnded == date(0))
    }

    @Test("a changed interval is stored")
    func changeStored() async throws {
        let fixture = PollFixture(store: InMemoryPollStore(record(every: 60, lastEnded: -20, nextDue: 40)))
        await fixture.makeScheduler().schedule(try poll(mail, every: 90))
        let stored = try await fixture.store.waitForRecord(of: mail) { $0.interval == 90 }
        #expect(stored == record(every: 90, lastEnded: -20, nextDue: 70))
    }

    @Test("a poll that missed many intervals runs once, not once for each")
    func missedRunsOnce() async throws {
        let fixture = PollFixture(store: InMemoryPollStore(record(every: 60, lastEnded: -3_600, nextDue: -3_540)))
        try await fixture.whilePolling(mail, every: 60) { scheduler in
            try await fixture.settle(scheduler)
            try await fixture.pass(.seconds(120), inStepsOf: .seconds(10), scheduler)
        }
        #expect(fixture.probe.starts(of: mail) == [0, 60, 120])
    }

    @Test("an interval of days survives restarts")
    func days() async throws {
        let fixture = PollFixture()
        for _ in 1...6 {
            try await fixture.whileRunning { scheduler in
                await scheduler.schedule(try poll(mail, every: 3 * Self.day))
                try await fixture.settle(scheduler)
                try await fixture.pass(.seconds(Self.day), inStepsOf: .seconds(3_600), scheduler)
            }
            fixture.time.advance(by: .seconds(3_600))
        }
        #expect(fixture.probe.starts(of: mail) == [3 * Self.day, 6 * Self.day])
    }

    @Test("a first wait cut short by a restart goes on, and does not start again")
    func firstWaitGoesOn() async throws {
        let fixture = PollFixture()
        for _ in 1...2 {
            try await fixture.runPoll(mail, every: 100, for: .seconds(50), inStepsOf: .seconds(10))
        }
        #expect(fixture.probe.starts(of: mail) == [100])
    }
}
