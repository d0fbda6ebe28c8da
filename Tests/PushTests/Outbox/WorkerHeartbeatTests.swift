import Core
import Logging
import PushModel
import TestSupport
import Testing

@testable import Push

@Suite("The heartbeat of a worker that shares its store", .defaultTimeLimit)
struct WorkerHeartbeatTests {
    private static func shared(
        _ deliveries: [Delivery], _ mediator: ScriptedMediator = ScriptedMediator(), concurrency: Int = 500
    ) throws -> WorkerFixture {
        var settings = OutboxWorkerSettings()
        settings.concurrency = concurrency
        let fixture = try WorkerFixture(deliveries, mediator, settings: settings)
        fixture.outbox.state.update { $0.heartbeat = OutboxHeartbeat(wasKnown: true, dead: [:]) }
        return fixture
    }

    @Test("comes at the start and every ten seconds")
    func regular() async throws {
        let fixture = try Self.shared([])
        try await fixture.run {
            try await fixture.outbox.state.wait { $0.calls.count { $0 == .beat } == 1 }
            for number in 2...3 {
                try await waitUntil { fixture.outbox.count(.nextDue) > 0 }
                fixture.time.advance(by: .seconds(10))
                try await fixture.outbox.state.wait { $0.calls.count { $0 == .beat } == number }
            }
        }
    }

    @Test("does not come where only one server uses the store")
    func alone() async throws {
        let fixture = try WorkerFixture([delivery()])
        try await fixture.run {
            try await fixture.outbox.waitUntilAll(are: .delivered)
            fixture.time.advance(by: .seconds(30))
            try fixture.outbox.enqueue([delivery()])
            fixture.worker.wake()
            try await fixture.outbox.waitUntilAll(are: .delivered)
        }
        #expect(fixture.outbox.count(.beat) == 1)
    }

    @Test("logs which server is dead, and how many deliveries are taken up again")
    func takeOver() async throws {
        let fixture = try Self.shared([])
        fixture.outbox.state.update { $0.heartbeat = OutboxHeartbeat(wasKnown: true, dead: ["node1": 14]) }
        try await fixture.run {
            try await fixture.log.lines.wait { $0.contains { $0.message.contains("node1") } }
        }
        #expect(
            fixture.log.messages(at: .warning) == [
                "the server node1 has been silent for 30 s; 14 deliveries that it held are taken up again"
            ])
    }

    @Test("lets no attempt begin once it has failed for 25 s, and lets them go on when it succeeds again")
    func silent() async throws {
        let fixture = try Self.shared([delivery(), delivery()], ScriptedMediator(isHeld: true), concurrency: 1)
        try await fixture.run {
            try await fixture.mediator.waitForAttempts(1)
            fixture.outbox.fail(.beat, StoreError(.locked, location: "store", reason: "away"))
            fixture.time.advance(by: .seconds(26))
            try await fixture.log.waitForStoreFailures(1)
            fixture.mediator.letGo()
            try await fixture.mediator.state.wait { $0.running == 0 }
            try await fixture.time.waitForSleepers(.seconds(1))
            fixture.time.advance(by: .seconds(1))
            try await fixture.log.waitForStoreFailures(2)
            #expect(fixture.mediator.state.value.attempts.count == 1)
            fixture.outbox.fail(.beat, nil)
            try await fixture.time.waitForSleepers(.seconds(1))
            fixture.time.advance(by: .seconds(1))
            try await fixture.outbox.waitUntilAll(are: .delivered)
        }
        #expect(fixture.mediator.state.value.attempts.count == 2)
    }

    @Test("that others missed has the worker drop its queued deliveries, which others send")
    func takenForDead() async throws {
        let fixture = try Self.shared([delivery(), delivery()], ScriptedMediator(isHeld: true), concurrency: 1)
        try await fixture.run {
            try await fixture.mediator.waitForAttempts(1)
            fixture.outbox.state.update {
                $0.heartbeat = OutboxHeartbeat(wasKnown: false, dead: [:])
                $0.claimsNothing = true
            }
            fixture.time.advance(by: .seconds(10))
            try await fixture.log.lines.wait { $0.contains { $0.message.contains("this server was silent") } }
            fixture.mediator.letGo()
            try await fixture.outbox.state.wait { $0.batches.contains(1) }
        }
        #expect(fixture.mediator.state.value.attempts.count == 1)
    }
}
