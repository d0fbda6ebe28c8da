import Core
import PollScheduler
import PushModel
import TestSupport
import Testing

@Suite("Polls that servers share")
struct PollLeaseTests {
    private let fixture = PollFixture()

    /// Runs a scheduler of a separate server while `body` does its work.
    private func whileRunning(_ holder: String, _ body: (PollScheduler) async throws -> Void) async throws {
        let scheduler = fixture.makeScheduler(holder: holder)
        await scheduler.schedule(try poll(mail, every: 60))
        let running = Task { await scheduler.run() }
        defer { running.cancel() }
        try await body(scheduler)
        await scheduler.stop(gracePeriod: .zero)
        await running.value
    }

    private func waitForLeaseCalls(_ count: Int) async throws {
        try await fixture.store.state.wait { $0.leaseCalls >= count }
        // Each waits for its next renewal then.
        try await fixture.time.waitForSleeper(.seconds(10))
    }

    @Test("the server with the lease runs the polls, and saves their times") func holder() async throws {
        try await whileRunning("a") { scheduler in
            try await waitForLeaseCalls(1)
            // First seen before there was a lease, which a restart must not forget.
            _ = try await fixture.store.waitForRecord(of: mail) { $0.lastEnded == nil && $0.nextDue == date(60) }
            try await fixture.pass(.seconds(60), inStepsOf: .seconds(10), scheduler)
            _ = try await fixture.store.waitForRecord(of: mail) { $0.lastEnded != nil }
        }
        #expect(fixture.store.state.value.leaseHolder == nil)
    }

    @Test("Another waits, and takes over when the first has stopped, at the time that the first has left")
    func takeOver()
        async throws
    {
        try await whileRunning("b") { second in
            fixture.store.state.update { $0.leaseHolder = "a" }
            try await waitForLeaseCalls(1)
            for step in 2...8 {
                fixture.time.advance(by: .seconds(10))
                try await waitForLeaseCalls(step)
            }
            #expect(fixture.probe.starts(of: mail).isEmpty)
            fixture.store.state.update { state in
                state.leaseHolder = nil
                state.records[mail] = PollRecord(
                    eventSource: mail, interval: 60, lastEnded: date(70), nextDue: date(130), consecutiveFailures: 0)
            }
            fixture.time.advance(by: .seconds(10))
            try await waitForLeaseCalls(9)
            #expect(await second.status().map(\.nextDue) == [date(130)])
        }
    }

    @Test("A lease that cannot be renewed stops polls at its end, and they go on when it can")
    func storeAway()
        async throws
    {
        try await whileRunning("a") { scheduler in
            try await waitForLeaseCalls(1)
            fixture.store.state.update { $0.leaseError = InMemoryPollStore.diskFull }
            for step in 2...8 {
                fixture.time.advance(by: .seconds(10))
                try await waitForLeaseCalls(step)
            }
            #expect(fixture.probe.starts(of: mail).isEmpty)
            fixture.store.state.update { $0.leaseError = nil }
            fixture.time.advance(by: .seconds(10))
            _ = try await fixture.store.waitForRecord(of: mail) { $0.lastEnded != nil }
        }
    }
}
