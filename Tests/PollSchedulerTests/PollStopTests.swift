import Core
import Logging
import PollScheduler
import PushModel
import TestSupport
import Testing

@Suite("Stopping", .defaultTimeLimit)
struct PollStopTests {
    let fixture = PollFixture()

    /// Starts a scheduler whose only poll is running since second 1.
    private func startRunning(_ hold: (EventSourceID) -> Void) async throws -> (PollScheduler, Task<Void, Never>) {
        let scheduler = fixture.makeScheduler()
        let running = Task { await scheduler.run() }
        await scheduler.schedule(try poll(mail, every: 1))
        hold(mail)
        fixture.time.advance(by: .seconds(1))
        try await fixture.probe.waitForStart(of: mail)
        return (scheduler, running)
    }

    @Test("no poll is started after stop, and run returns")
    func stop() async throws {
        let scheduler = fixture.makeScheduler()
        let running = Task { await scheduler.run() }
        await scheduler.schedule(try poll(mail, every: 1))
        try await fixture.pass(.seconds(1), scheduler)
        #expect(await scheduler.stop(gracePeriod: .seconds(30)) == [])
        await running.value
        fixture.time.advance(by: .seconds(10))
        #expect(fixture.probe.starts(of: mail) == [1])
    }

    @Test("a run that ends within the grace period is waited for and stored")
    func endsInGrace() async throws {
        let (scheduler, running) = try await startRunning(fixture.probe.hold)
        async let abandoned = scheduler.stop(gracePeriod: .seconds(30))
        try await fixture.time.waitForSleepers(until: 31)
        fixture.time.advance(by: .seconds(20))
        fixture.probe.release(mail)
        #expect(await abandoned == [])
        await running.value
        #expect(fixture.store.state.value.records[mail]?.lastEnded == date(21))
        try await fixture.time.waitForSleepers()
    }

    @Test("no poll is started during the grace period")
    func nothingNewInGrace() async throws {
        let (scheduler, running) = try await startRunning(fixture.probe.hold)
        await scheduler.schedule(try poll(news, every: 5))
        async let abandoned = scheduler.stop(gracePeriod: .seconds(30))
        try await fixture.time.waitForSleepers(until: 31)
        fixture.time.advance(by: .seconds(20))
        fixture.probe.release(mail)
        _ = await abandoned
        await running.value
        #expect(fixture.probe.starts(of: news) == [])
        #expect(fixture.probe.starts(of: mail) == [1])
    }

    @Test("a run that outlasts the grace period is cancelled, reported and logged")
    func outlastsGrace() async throws {
        let (scheduler, running) = try await startRunning(fixture.probe.hold)
        async let abandoned = scheduler.stop(gracePeriod: .seconds(30))
        try await fixture.time.waitForSleepers(until: 31)
        fixture.time.advance(by: .seconds(30))
        #expect(await abandoned == [mail])
        await running.value
        try await fixture.probe.waitForCancellation(of: mail)
        let lines = fixture.log.lines.value.filter { $0.level >= .warning }
        #expect(lines.map(\.level) == [.warning])
        #expect(lines.map(\.message) == ["poll abandoned while running, since the scheduler stops"])
        #expect(lines.map { $0.metadata["eventSource"] } == ["Mail.inbox"])
    }

    @Test("a run that ignores cancellation does not delay the end")
    func deafRun() async throws {
        let (scheduler, running) = try await startRunning(fixture.probe.holdDeaf)
        #expect(await scheduler.stop(gracePeriod: .zero) == [mail])
        await running.value
        fixture.probe.release(mail)
    }

    @Test("an abandoned run is not stored as ended, so it is repeated at once after a restart")
    func abandonedRepeated() async throws {
        let (scheduler, running) = try await startRunning(fixture.probe.hold)
        await scheduler.stop(gracePeriod: .zero)
        await running.value
        #expect(fixture.store.state.value.records[mail]?.lastEnded == nil)
        fixture.probe.release(mail)
        try await fixture.whilePolling(mail, every: 1) { scheduler in
            try await fixture.settle(scheduler)
        }
        #expect(fixture.probe.starts(of: mail) == [1, 1])
    }

    @Test("cancelling the task of run stops without grace")
    func cancelRun() async throws {
        let (_, running) = try await startRunning(fixture.probe.hold)
        running.cancel()
        await running.value
        try await fixture.probe.waitForCancellation(of: mail)
        try await fixture.time.waitForSleepers()
    }

    @Test("a task cancelled before it calls run starts nothing")
    func cancelledBeforeRun() async throws {
        let scheduler = fixture.makeScheduler()
        await scheduler.schedule(try poll(mail, every: 1))
        fixture.time.advance(by: .seconds(5))
        let running = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await scheduler.run()
        }
        await running.value
        #expect(fixture.probe.starts(of: mail) == [])
    }

    @Test("a second stop without grace cuts the first one's short")
    func secondStop() async throws {
        let (scheduler, running) = try await startRunning(fixture.probe.hold)
        async let first = scheduler.stop(gracePeriod: .seconds(30))
        try await fixture.time.waitForSleepers(until: 31)
        #expect(await scheduler.stop(gracePeriod: .zero) == [mail])
        #expect(await first == [mail])
        await running.value
    }

    @Test("cancelling the task of stop ends the grace period")
    func cancelStop() async throws {
        let (scheduler, running) = try await startRunning(fixture.probe.hold)
        let stopping = Task { await scheduler.stop(gracePeriod: .seconds(30)) }
        try await fixture.time.waitForSleepers(until: 31)
        stopping.cancel()
        #expect(await stopping.value == [mail])
        await running.value
    }

    @Test("run returns at once when the scheduler was stopped before")
    func runAfterStop() async throws {
        let scheduler = fixture.makeScheduler()
        await scheduler.schedule(try poll(mail, every: 1))
        fixture.time.advance(by: .seconds(5))
        #expect(await scheduler.stop(gracePeriod: .seconds(30)) == [])
        await scheduler.run()
        #expect(fixture.probe.starts(of: mail) == [])
    }

    @Test("what could not be stored before is stored at the end")
    func storedAtEnd() async throws {
        fixture.store.state.update { $0.saveError = InMemoryPollStore.diskFull }
        try await fixture.whilePolling(mail, every: 60) { _ in
            try await fixture.log.lines.wait { $0.contains { $0.level == .error } }
            fixture.store.state.update { $0.saveError = nil }
        }
        #expect(fixture.store.state.value.records[mail]?.nextDue == date(60))
    }

    @Test("a store that fails at the end does not keep the scheduler from stopping")
    func failingStore() async throws {
        fixture.store.state.update { $0.saveError = InMemoryPollStore.diskFull }
        try await fixture.whilePolling(mail, every: 1) { _ in }
        #expect(fixture.store.state.value.records.isEmpty)
    }
}
