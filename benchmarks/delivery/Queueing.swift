import PushModel
import Storage

/// One notification to 100,000 devices in one call, against a bare insert of the same rows.
enum Queueing {
    static func measure() throws {
        let count = 100_000
        for round in 1...5 {
            let bench = try DeliveryWorkbench()
            var deliveries: [Delivery] = []
            let making = DeliveryWorkbench.cost { deliveries = DeliveryWorkbench.fanOut(count) }
            let ours = try DeliveryWorkbench.cost { try bench.store.outbox.enqueue(deliveries) }
            let bare = BareInsert.measure(deliveries, in: bench.folder)
            let flush = try DeliveryWorkbench.cost { try bench.store.outbox.flush() }
            print(
                """
                round \(round): queued \(ours.rate(count)), bare insert \(bare.rate(count)), \
                ratio \(bare.wall / ours.wall) (\(bare.processor / ours.processor)); made \(making.rate(count)), \
                flushed in \(flush.wall) s
                """)
        }
    }
}
