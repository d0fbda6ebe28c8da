import Core
import Foundation
import PushModel
import TestSupport

@testable import Push

/// A worker with everything around it in the test's hands.
struct WorkerFixture: Sendable {
    /// The worker's report of a device that is gone.
    struct Gone: Sendable, Hashable {
        let id: UUID
        let reason: String
        let asOf: Date?
    }

    let outbox: FailingOutbox
    let mediator: ScriptedMediator
    let time: ManualTime
    let log = LogRecorder()
    let pressure: OutboxBackpressure
    let gone = AwaitableValue<[Gone]>([])
    /// The response to the worker's report.
    let fate = AwaitableValue(UnregisteredDevice.settled)
    let worker: OutboxWorker
    let sink: OutboxSink

    init(
        _ outbox: FailingOutbox, _ mediator: ScriptedMediator = ScriptedMediator(),
        settings: OutboxWorkerSettings = OutboxWorkerSettings()
    ) {
        self.outbox = outbox
        time = outbox.time
        self.mediator = mediator
        pressure = OutboxBackpressure(highWaterMark: 10)
        var settings = settings
        // Nobody waits for a clock that a test moves.
        settings.recordInterval = .zero
        worker = OutboxWorker(
            name: "me", outbox: outbox, mediator: mediator, pressure: pressure, time: time, logger: log.logger,
            settings: settings, generator: ConstantGenerator.longest
        ) { [gone, fate] delivery, reason, asOf in
            gone.update { $0.append(Gone(id: delivery.id, reason: reason, asOf: asOf)) }
            return fate.value
        }
        sink = OutboxSink(outbox: outbox, pressure: pressure, worker: worker)
    }

    /// - Parameter deliveries: what its store, which is in memory, has at first.
    init(
        _ deliveries: [Delivery] = [], _ mediator: ScriptedMediator = ScriptedMediator(),
        settings: OutboxWorkerSettings = OutboxWorkerSettings()
    ) throws {
        self.init(try FailingOutbox(deliveries), mediator, settings: settings)
    }

    /// Runs the worker while the body does, then stops it and waits for its end.
    func run(_ body: () async throws -> Void) async throws {
        let task = Task { await worker.run() }
        let result: Result<Void, any Error>
        do {
            try await body()
            result = .success(())
        } catch {
            result = .failure(error)
        }
        mediator.letGo()
        worker.stop()
        await task.value
        try result.get()
    }
}

extension LogRecorder {
    /// Returns once the worker has said so many times that the store failed; it pauses from before it says so.
    func waitForStoreFailures(_ count: Int) async throws {
        try await lines.wait { lines in lines.count { $0.message.hasPrefix("the outbox failed") } >= count }
    }
}
