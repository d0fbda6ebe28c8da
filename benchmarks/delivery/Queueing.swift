import PushModel
import Storage

/// One notification to 100,000 devices in one call, against a bare insert of the same rows.
enum Queueing {
    static func measure() throws {
        let count = 100_000
        for round in 1...5 {
            let bench = try Workbench()
            var deliveries: [Delivery] = []
            let making = Workbench.seconds { deliveries = Workbench.fanOut(count) }
            let ours = try Workbench.seconds { try bench.store.enqueue(deliveries) }
            let bare = BareInsert.measure(deliveries, in: bench.folder)
            let flush = try Workbench.seconds { try bench.store.flush() }
            print(
                """
                round \(round): queued \(Workbench.rate(count, ours)), bare insert \(Workbench.rate(count, bare)), \
                ratio \(bare / ours); made \(Workbench.rate(count, making)), flushed in \(flush) s
                """)
        }
    }
}
