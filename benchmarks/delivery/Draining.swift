import Core
import Foundation
import PushModel
import Storage

/// Claims and records 100,000 deliveries through the store, a batch at a time.
enum Draining {
    static func measure() throws {
        let count = 100_000
        for round in 1...3 {
            let bench = try DeliveryWorkbench()
            try bench.store.outbox.enqueue(DeliveryWorkbench.fanOut(count))
            var (claiming, recording, done) = (DeliveryWorkbench.Cost(), DeliveryWorkbench.Cost(), 0)
            while done < count {
                var claimed: [Delivery] = []
                let now = Date()
                claiming += try DeliveryWorkbench.cost {
                    claimed = try bench.store.outbox.claim(limit: 2000, lease: .seconds(600), worker: "local")
                }
                let reports = claimed.map {
                    DeliveryReport(on: $0, ending: .delivered, date: now, serviceID: $0.id.uuidString)
                }
                recording += try DeliveryWorkbench.cost { try bench.store.outbox.record(reports, worker: "local") }
                done += claimed.count
            }
            var both = claiming
            both += recording
            print(
                """
                round \(round): claimed \(claiming.rate(count)), recorded \(recording.rate(count)), together \
                \(both.rate(count))
                """)
        }
    }
}
