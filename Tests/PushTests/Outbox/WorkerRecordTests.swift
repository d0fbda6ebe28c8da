import Core
import PushModel
import TestSupport
import Testing

@testable import Push

@Suite("When ends are recorded", .defaultTimeLimit)
struct WorkerRecordTests {
    /// Waits with the deliveries to iPhones, so that the worker is never idle.
    private struct Mixed: Mediator {
        func deliver(_ delivery: Delivery) async -> MediatorOutcome {
            if delivery.target.channel == .devices(.apple) { try? await AwaitableValue(()).wait { _ in false } }
            return MediatorOutcome(.delivered, serviceID: "1", requests: [])
        }
    }

    @Test("The first at once; one that comes soon after waits a moment for others")
    func interval() async throws {
        let outbox = try FailingOutbox([delivery(to: subscription(.apple)), delivery()])
        let time = outbox.time
        let worker = OutboxWorker(
            name: "me", outbox: outbox, mediator: Mixed(), pressure: OutboxBackpressure(), time: time,
            logger: LogRecorder().logger)
        let sink = OutboxSink(outbox: outbox, pressure: OutboxBackpressure(), worker: worker)
        let run = Task { await worker.run() }
        try await outbox.state.wait { $0.batches == [1] }
        _ = try sink.submit([delivery()])
        try await time.waitForSleepers(.milliseconds(10))
        _ = try sink.submit([delivery(), delivery()])
        try await time.waitForSleepers(.milliseconds(10))
        #expect(outbox.state.value.batches == [1])
        try await waitUntil {
            time.advance(by: .milliseconds(10))
            return outbox.state.value.batches.reduce(0, +) == 4
        }
        run.cancel()
        await run.value
        #expect(try outbox.all.map(\.state) == [.queued, .delivered, .delivered, .delivered, .delivered])
    }
}
