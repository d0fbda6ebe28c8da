import Core
import PushModel
import TestSupport
import Testing

@testable import Push

/// Ignores cancellation: the first attempt ends when the test lets go, the others never do.
private final class StubbornMediator: Mediator {
    let attempts = AwaitableValue(0)
    let isHeld = AwaitableValue(true)

    func deliver(_ delivery: Delivery) async -> MediatorOutcome {
        attempts.update { $0 += 1 }
        guard delivery.attempts == 1 else {
            try? await AwaitableValue(()).wait { _ in false }
            return MediatorOutcome(.refused(reason: "cancelled"), requests: [])
        }
        await Task.detached { [isHeld] in try? await isHeld.wait { !$0 } }.value
        return MediatorOutcome(.deviceGone(reason: "late", asOf: nil), requests: [])
    }
}

@Suite("Late responses", .defaultTimeLimit)
struct WorkerLateAnswerTests {
    @Test("The response to an abandoned attempt does not count for the next one")
    func second() async throws {
        let (outbox, mediator) = (try FailingOutbox([delivery(timeToLive: 9000)]), StubbornMediator())
        let time = outbox.time
        let answered = AwaitableValue(false)
        let worker = OutboxWorker(
            name: "me", outbox: outbox, mediator: mediator, pressure: OutboxBackpressure(), time: time,
            logger: LogRecorder().logger, settings: OutboxWorkerSettings(longestSleep: .seconds(1000)),
            generator: ConstantGenerator.longest
        ) { _, _, _ in
            answered.update { $0 = true }
            return .settled
        }
        let run = Task { await worker.run() }
        try await mediator.attempts.wait { $0 == 1 }
        try await time.waitForSleepers(.seconds(60))
        time.advance(by: .seconds(60))
        try await time.waitForSleepers(.seconds(2))
        time.advance(by: .seconds(2))
        try await mediator.attempts.wait { $0 == 2 }
        try await time.waitForSleepers(.seconds(60))

        mediator.isHeld.update { $0 = false }
        try await answered.wait { $0 }
        // The late response is on its way to the worker; a wake-up gets there behind it and has the store asked.
        let looks = outbox.count(.claim)
        worker.wake()
        try await outbox.state.wait { $0.calls.count { $0 == .claim } > looks }
        #expect(try outbox.all.map(\.state) == [.sending])
        #expect(outbox.count(.record) == 1)

        run.cancel()
        await run.value
        #expect(try outbox.all.map(\.state) == [.queued])
    }
}
