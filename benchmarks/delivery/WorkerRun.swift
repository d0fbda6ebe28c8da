import Core
import Foundation
import Logging
import Push
import PushModel
import Storage

/// Delivers 200,000 deliveries with a mediator that answers at once.
enum WorkerRun {
    private struct Prompt: Mediator {
        func deliver(_ delivery: Delivery) async -> MediatorOutcome {
            MediatorOutcome(.delivered, serviceID: "1b4e28ba-2fa1-11d2-883f-0016d3cca427", requests: [])
        }
    }

    static func measure() async throws {
        let count = 200_000
        for round in 1...3 {
            let bench = try DeliveryWorkbench()
            for first in stride(from: 0, to: count, by: 50_000) {
                try bench.store.outbox.enqueue(DeliveryWorkbench.fanOut(50_000, from: first))
            }
            var logger = Logger(label: "benchmark")
            logger.logLevel = .notice
            let worker = OutboxWorker(
                name: "local", outbox: bench.store.outbox, mediator: Prompt(),
                pressure: OutboxBackpressure(), time: SystemTime(), logger: logger)
            let (start, processor) = (ContinuousClock.now, DeliveryWorkbench.processorSeconds)
            let task = Task { await worker.run() }
            while try bench.store.outbox.counts()[.delivered, default: 0] < count {
                try await Task.sleep(for: .milliseconds(10))
            }
            let seconds = start.duration(to: .now) / .seconds(1)
            let used = DeliveryWorkbench.processorSeconds - processor
            worker.stop()
            await task.value
            print(
                """
                round \(round): \(Int(Double(count) / seconds)) a second, processor time \(used / Double(count) * 1e6) us for each, \
                store included
                """)
        }
    }
}
