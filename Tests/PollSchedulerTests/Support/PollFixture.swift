import Core
import Logging
import PollScheduler
import PushModel
import TestSupport
import Testing

import struct Foundation.Date

let mail = EventSourceID(adapter: "Mail", name: "inbox")
let news = EventSourceID(adapter: "News", name: "headlines")

/// Everything around a scheduler, in the test's hands.
struct PollFixture {
    let time: ManualTime
    let store: InMemoryPollStore
    let probe: PollProbe
    let log = LogRecorder()

    init(store: InMemoryPollStore = InMemoryPollStore()) {
        time = ManualTime()
        probe = PollProbe(time: time)
        self.store = store
    }

    func makeScheduler(holder: String? = nil) -> PollScheduler {
        PollScheduler(
            store: store,
            time: time,
            holder: holder,
            logger: Logger(label: "polls") { _ in log },
            run: { [probe] in try await probe.run($0) }
        )
    }

    /// Runs a scheduler (each call a new one, as after a restart) while `body` does its work.
    func whileRunning(_ body: (PollScheduler) async throws -> Void) async throws {
        let scheduler = makeScheduler()
        let running = Task { await scheduler.run() }
        defer { running.cancel() }
        try await body(scheduler)
        await scheduler.stop(gracePeriod: .zero)
        await running.value
    }

    /// Runs a scheduler with that poll while `body` does its work.
    func whilePolling(
        _ eventSource: EventSourceID, every seconds: Double, _ body: (PollScheduler) async throws -> Void
    ) async throws {
        try await whileRunning { scheduler in
            await scheduler.schedule(try poll(eventSource, every: seconds))
            try await body(scheduler)
        }
    }

    /// Runs a scheduler with that poll while time passes, as ``pass(_:inStepsOf:_:)`` lets it.
    func runPoll(
        _ eventSource: EventSourceID, every seconds: Double, for duration: Duration, inStepsOf step: Duration? = nil
    ) async throws {
        try await whilePolling(eventSource, every: seconds) { try await pass(duration, inStepsOf: step, $0) }
    }

    /// Lets time pass in steps, and all that is due in each step start and end before the next.
    func pass(_ duration: Duration, inStepsOf step: Duration? = nil, _ scheduler: PollScheduler) async throws {
        let end = time.uptime + duration
        while time.uptime < end {
            time.advance(by: min(step ?? duration, end - time.uptime))
            try await settle(scheduler)
        }
    }

    /// Returns once no poll is running or due.
    func settle(_ scheduler: PollScheduler) async throws {
        try await waitUntil { await !scheduler.status().contains(where: { $0.nextDue.map { $0 <= time.now } ?? true }) }
    }

    /// Returns once the scheduler has heard that the run has ended.
    func waitUntilIdle(_ eventSource: EventSourceID, _ scheduler: PollScheduler) async throws {
        try await waitUntil {
            await !scheduler.status().contains(where: { $0.eventSource == eventSource && $0.runningSince != nil })
        }
    }
}

/// A schedule of that many seconds.
func poll(_ eventSource: EventSourceID, every seconds: Double) throws -> PollSchedule {
    try #require(PollSchedule(eventSource: eventSource, interval: seconds))
}

/// A date, in seconds since the test began.
func date(_ seconds: Double) -> Date { ManualTime.start.addingTimeInterval(seconds) }
