import PushModel
import Storage

/// One notification to 100,000 devices in one call, against a bare insert of the same rows.
enum Queueing {
    static func measure() throws {
        let count = 100_000
        for round in 1...5 {
            let bench = try Workbench()
            var deliveries: [Delivery] = []
            let making = Workbench.cost { deliveries = Workbench.fanOut(count) }
            let ours = try Workbench.cost { try bench.store.enqueue(deliveries) }
            let bare = BareInsert.measure(deliveries, in: bench.folder)
            let flush = try Workbench.cost { try bench.store.flush() }
            print(
                """
                round \(round): queued \(ours.rate(count)), bare insert \(bare.rate(count)), \
                ratio \(bare.wall / ours.wall) (\(bare.processor / ours.processor)); made \(making.rate(count)), \
                flushed in \(flush.wall) s
                """)
        }
    }
}
