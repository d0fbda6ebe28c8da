import Core
import Foundation
import Logging
import PushModel
import TestSupport
import Testing

@testable import Push

@Suite("Stopping and starting the worker", .defaultTimeLimit)
struct WorkerStopTests {
    private let full = StoreError(.diskFull, location: "/data/lamplighter.db", reason: "disk is full")

    @Test("Deliveries that a killed run of the same name held are released at once, those of others are not")
    func takesBack() async throws {
        let outbox = try FailingOutbox([delivery(id: deliveryID), delivery()])
        _ = try outbox.claim(limit: 1, lease: .seconds(120), worker: "me")
        _ = try outbox.claim(limit: 1, lease: .seconds(120), worker: "other")
        let fixture = WorkerFixture(outbox)
        try await fixture.run {
            try await outbox.wait(for: [.delivered: 1, .sending: 1])
            try await fixture.time.waitForSleepers(.seconds(1))
        }
        #expect(try outbox.all.map(\.state) == [.delivered, .sending])
        #expect(fixture.mediator.state.value.attempts.map(\.id) == [deliveryID])
        #expect(fixture.log.messages(at: .notice) == ["1 deliveries that an earlier run held are taken up again"])
    }

    @Test("An idle worker stops at once")
    func idle() async throws {
        let fixture = try WorkerFixture()
        try await fixture.run { try await fixture.time.waitForSleepers(.seconds(1)) }
    }

    @Test("A running attempt may end, and a delivery that has not begun is released")
    func grace() async throws {
        let fixture = try WorkerFixture(
            [delivery(), delivery()], ScriptedMediator(isHeld: true), settings: OutboxWorkerSettings(concurrency: 1))
        let run = Task { await fixture.worker.run() }
        try await fixture.mediator.waitForAttempts(1)
        try await fixture.time.waitForSleepers(.seconds(1))
        fixture.worker.stop()
        try await fixture.time.waitForSleepers(.seconds(10))
        fixture.mediator.letGo()
        await run.value
        #expect(try fixture.outbox.all.map(\.state) == [.delivered, .queued])
        #expect(fixture.mediator.state.value.attempts.count == 1)
    }

    @Test("An attempt that does not end within the grace period is cancelled and released")
    func graceOver() async throws {
        let fixture = try WorkerFixture([delivery()], ScriptedMediator(isHeld: true))
        let run = Task { await fixture.worker.run() }
        try await fixture.mediator.waitForAttempts(1)
        try await fixture.time.waitForSleepers(.seconds(1))
        fixture.worker.stop()
        try await fixture.time.waitForSleepers(.seconds(10))
        fixture.time.advance(by: .seconds(10))
        await run.value
        #expect(try fixture.outbox.all.map(\.state) == [.queued])
        #expect(fixture.log.messages(at: .warning) == ["1 attempts did not end in time; they will be repeated"])
        try await fixture.mediator.state.wait { $0.cancelled == 1 }
    }

    @Test("A cancelled task stops without grace")
    func cancelled() async throws {
        let fixture = try WorkerFixture([delivery()], ScriptedMediator(isHeld: true))
        let run = Task { await fixture.worker.run() }
        try await fixture.mediator.waitForAttempts(1)
        run.cancel()
        await run.value
        #expect(try fixture.outbox.all.map(\.state) == [.queued])
    }

    @Test("Cancelling during the grace period ends it")
    func cancelledWhileStopping() async throws {
        let fixture = try WorkerFixture([delivery()], ScriptedMediator(isHeld: true))
        let run = Task { await fixture.worker.run() }
        try await fixture.mediator.waitForAttempts(1)
        try await fixture.time.waitForSleepers(.seconds(1))
        fixture.worker.stop()
        try await fixture.time.waitForSleepers(.seconds(10))
        run.cancel()
        await run.value
        #expect(try fixture.outbox.all.map(\.state) == [.queued])
    }

    @Test("A worker stopped before it runs claims no delivery")
    func stoppedBefore() async throws {
        let fixture = try WorkerFixture([delivery()])
        fixture.worker.stop()
        await fixture.worker.run()
        #expect(fixture.outbox.count(.claim) == 0)
        #expect(try fixture.outbox.all.map(\.state) == [.queued])
    }

    @Test("A second run returns at once")
    func secondRun() async throws {
        let fixture = try WorkerFixture()
        try await fixture.run {
            try await fixture.time.waitForSleepers(.seconds(1))
            await fixture.worker.run()
        }
        await fixture.worker.run()
    }

    @Test("The worker stops also while the store fails from the start")
    func stopWhileStartFails() async throws {
        let fixture = try WorkerFixture([delivery()])
        fixture.outbox.fail(.release, full)
        try await fixture.run { try await fixture.time.waitForSleepers(.seconds(1)) }
        #expect(try fixture.outbox.all.map(\.state) == [.queued])
        #expect(
            fixture.log.messages(at: .error).last
                == "deliveries could not be returned to the outbox, so they wait for the next start: \(full)")
    }

    @Test("An outcome that is not recorded within the grace period is logged, and the delivery is kept")
    func recordFailsToTheEnd() async throws {
        let fixture = try WorkerFixture([delivery()], settings: OutboxWorkerSettings(gracePeriod: .milliseconds(500)))
        fixture.outbox.fail(.record, full)
        let run = Task { await fixture.worker.run() }
        try await fixture.log.waitForStoreFailures(1)
        fixture.worker.stop()
        try await fixture.time.waitForSleepers(.milliseconds(500))
        fixture.time.advance(by: .milliseconds(500))
        await run.value
        #expect(
            fixture.log.messages(at: .error).contains(
                "1 deliveries ended but could not be recorded; they will be repeated"))
        #expect(try fixture.outbox.all.map(\.state) == [.queued])
    }

    @Test("A store that works again within the grace period still gets everything")
    func recordWorksAgain() async throws {
        let fixture = try WorkerFixture([delivery()])
        fixture.outbox.fail(.record, full)
        let run = Task { await fixture.worker.run() }
        try await fixture.log.waitForStoreFailures(1)
        fixture.worker.stop()
        fixture.outbox.fail(.record, nil)
        fixture.time.advance(by: .seconds(1))
        await run.value
        #expect(try fixture.outbox.all.map(\.state) == [.delivered])
    }
}
