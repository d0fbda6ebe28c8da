import Core
import Foundation
import PushModel
import TestSupport
import Testing

@testable import Push

@Suite("When the worker sleeps and wakes", .defaultTimeLimit)
struct WorkerSleepTests {
    @Test("An idle worker checks once a second for deliveries of another process")
    func idle() async throws {
        let fixture = try WorkerFixture()
        try await fixture.run {
            try await fixture.time.waitForSleepers(.seconds(1))
            let before = fixture.outbox.state.value.calls.filter { $0 != .purge }
            for _ in 0..<3 {
                fixture.time.advance(by: .seconds(1))
                try await fixture.time.waitForSleepers(.seconds(1))
            }
            let after = fixture.outbox.state.value.calls.filter { $0 != .purge }
            #expect(after == before + [.nextDue, .nextDue, .nextDue])
        }
    }

    @Test("A delivery that another process enqueues is sent within a second")
    func otherProcess() async throws {
        let fixture = try WorkerFixture()
        try await fixture.run {
            try await fixture.time.waitForSleepers(.seconds(1))
            try fixture.outbox.enqueue([delivery()])
            fixture.time.advance(by: .seconds(1))
            try await fixture.outbox.waitUntilAll(are: .delivered)
        }
        #expect(try fixture.outbox.all.count == 1)
    }

    @Test("A delivery that this process enqueues is sent at once")
    func woken() async throws {
        let fixture = try WorkerFixture()
        try await fixture.run {
            try await fixture.time.waitForSleepers(.seconds(1))
            _ = try fixture.sink.submit([delivery()])
            try await fixture.outbox.wait(for: [.delivered: 1])
        }
        #expect(fixture.time.now == ManualTime.start)
    }

    @Test("A wake-up while the worker is busy is not lost")
    func wokenWhileBusy() async throws {
        let fixture = try WorkerFixture([delivery()], ScriptedMediator(isHeld: true))
        try await fixture.run {
            try await fixture.mediator.waitForAttempts(1)
            _ = try fixture.sink.submit([delivery()])
            try await fixture.mediator.waitForAttempts(2)
        }
    }

    @Test("The worker sleeps until the next delivery is due when that is sooner")
    func nextDue() async throws {
        var later = delivery()
        later.due = ManualTime.start + 0.25
        let fixture = try WorkerFixture([later])
        try await fixture.run {
            try await fixture.time.waitForSleepers(.milliseconds(250))
            fixture.time.advance(by: .milliseconds(250))
            try await fixture.outbox.waitUntilAll(are: .delivered)
        }
    }

    @Test("A store that names a due delivery and yet returns none is not queried endlessly")
    func inconsistentStore() async throws {
        let outbox = try FailingOutbox([delivery()])
        let fixture = WorkerFixture(outbox)
        outbox.state.update { $0.claimsNothing = true }
        try await fixture.run {
            try await fixture.time.waitForSleepers(.milliseconds(50))
            #expect(outbox.count(.claim) == 1)
            outbox.state.update { $0.claimsNothing = false }
            fixture.time.advance(by: .milliseconds(50))
            try await outbox.waitUntilAll(are: .delivered)
        }
    }

    @Test("A clock that jumps ahead does not start a second attempt beside the first")
    func clockAhead() async throws {
        let fixture = try WorkerFixture([delivery(timeToLive: 9000)], ScriptedMediator(isHeld: true))
        try await fixture.run {
            try await fixture.mediator.waitForAttempts(1)
            try await fixture.time.waitForSleepers(.seconds(1))
            fixture.time.setClock(forwardBy: 1000)
            let claims = fixture.outbox.count(.claim)
            fixture.time.advance(by: .seconds(1))
            try await fixture.outbox.state.wait { $0.calls.count { $0 == .claim } > claims }
            try await fixture.time.waitForSleepers(.seconds(1))
            fixture.mediator.letGo()
            try await fixture.outbox.waitUntilAll(are: .delivered)
        }
        #expect(fixture.mediator.state.value.attempts.count == 1)
    }

    @Test("A delivery whose lease expired while it waited for its turn is claimed again")
    func staleLease() async throws {
        let fixture = try WorkerFixture(
            [delivery(), delivery()], ScriptedMediator(isHeld: true),
            settings: OutboxWorkerSettings(concurrency: 1, lease: .seconds(120)))
        try await fixture.run {
            try await fixture.mediator.waitForAttempts(1)
            try await fixture.time.waitForSleepers(.seconds(1))
            fixture.time.advance(by: .seconds(200))
            try await fixture.mediator.waitForAttempts(2)
            fixture.mediator.letGo()
            try await waitUntil { try fixture.outbox.all[1].state == .delivered }
        }
        #expect(fixture.mediator.state.value.attempts.map(\.attempts).prefix(2) == [1, 2])
    }
}
