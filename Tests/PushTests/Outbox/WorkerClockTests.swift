import Core
import Foundation
import Logging
import PushModel
import TestSupport
import Testing

@testable import Push

@Suite("A clock that jumps by a day", .defaultTimeLimit)
struct WorkerClockTests {
    private static let day = 86_400.0

    @Test("a forward jump expires no delivery, and repeats none that is being sent")
    func forward() async throws {
        let fixture = try WorkerFixture(
            [delivery(), delivery()], ScriptedMediator(isHeld: true), settings: OutboxWorkerSettings(concurrency: 1))
        try await fixture.run {
            try await fixture.mediator.waitForAttempts(1)
            try await fixture.time.waitForSleepers(.seconds(1))
            fixture.time.setClock(forwardBy: Self.day)
            fixture.mediator.letGo()
            try await fixture.outbox.wait(for: [.delivered: 2])
        }
        #expect(Set(fixture.mediator.state.value.attempts.map(\.id)).count == 2)
        #expect(fixture.mediator.state.value.attempts.count == 2)
    }

    @Test("a forward jump makes retries due, and they expire after their time to live")
    func forwardRetry() async throws {
        let fixture = try WorkerFixture(
            [delivery(timeToLive: 3600)],
            ScriptedMediator { _ in MediatorOutcome(.retry(after: .seconds(3000), reason: "429"), requests: []) })
        try await fixture.run {
            try await fixture.mediator.waitForAttempts(1)
            try await fixture.outbox.wait(for: [.queued: 1])
            try await fixture.time.waitForSleepers(.seconds(1))
            fixture.time.setClock(forwardBy: Self.day)
            fixture.time.advance(by: .seconds(1))
            try await fixture.mediator.waitForAttempts(2)
            try await fixture.outbox.wait(for: [.queued: 1])
            try await fixture.time.waitForSleepers(.seconds(1))
            #expect(try fixture.outbox.timeToNext(of: .all) == .seconds(3000))
            fixture.time.advance(by: .seconds(3000))
            try await fixture.mediator.waitForAttempts(3)
            try await fixture.outbox.wait(for: [.queued: 1])
            try await fixture.time.waitForSleepers(.seconds(1))
            fixture.time.advance(by: .seconds(599))
            try await fixture.outbox.wait(for: [.expired: 1])
        }
    }

    @Test("Back: a delivery just queued is sent, and a running one is not repeated")
    func backWhileBusy() async throws {
        let fixture = try WorkerFixture([delivery()], ScriptedMediator(isHeld: true))
        try await fixture.run {
            try await fixture.mediator.waitForAttempts(1)
            try await fixture.time.waitForSleepers(.seconds(1))
            fixture.time.setClock(forwardBy: -Self.day)
            _ = try fixture.sink.submit([delivery()])
            try await fixture.mediator.waitForAttempts(2)
            fixture.mediator.letGo()
            try await fixture.outbox.wait(for: [.delivered: 2])
        }
        #expect(Set(fixture.mediator.state.value.attempts.map(\.id)).count == 2)
        #expect(fixture.mediator.state.value.attempts.count == 2)
    }
}
