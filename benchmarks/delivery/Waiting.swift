import Core
import Foundation
import Logging
import Push
import PushModel
import Storage

/// How much memory it takes while more and more deliveries wait for a service that never answers.
enum Waiting {
    private struct Mute: Mediator {
        func deliver(_ delivery: Delivery) async -> MediatorOutcome {
            try? await Task.sleep(for: .seconds(1_000_000))
            return MediatorOutcome(.retry(after: nil, reason: "cancelled"), requests: [])
        }
    }

    static func measure() async throws {
        let bench = try DeliveryWorkbench()
        let time = SystemTime()
        let pressure = OutboxBackpressure()
        let worker = OutboxWorker(
            name: "local", outbox: bench.store.outbox, mediator: Mute(), pressure: pressure, time: time,
            logger: Logger(label: "benchmark"),
            settings: OutboxWorkerSettings(attemptTimeout: .seconds(3600), gracePeriod: .zero))
        let sink = OutboxSink(outbox: bench.store.outbox, pressure: pressure, worker: worker)
        let task = Task { await worker.run() }
        let batch = 10_000
        for first in stride(from: 0, to: 1_000_000, by: batch) {
            let delay = try sink.submit(DeliveryWorkbench.fanOut(batch, from: first))
            if first % 100_000 == 0 {
                try await Task.sleep(for: .milliseconds(200))
                print("\(first + batch) wait: \(DeliveryWorkbench.residentMegabytes) MB, scripts wait \(delay) ms")
            }
        }
        print("\(try bench.store.outbox.depth().waiting) wait: \(DeliveryWorkbench.residentMegabytes) MB")
        worker.stop()
        await task.value
    }
}
