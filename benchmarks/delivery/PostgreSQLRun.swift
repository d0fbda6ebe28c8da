import Core
import Foundation
import PushModel
import Storage

/// Measures the store in PostgreSQL; `benchmarks/store-in-postgresql` starts the database, and the peers beside this.
enum PostgreSQLRun {
    private static let environment = ProcessInfo.processInfo.environment
    private static let batch = 2000

    /// `ROUNDS` batches queued, then `DRAINED` (or all) of them claimed and recorded.
    static func batches() throws {
        let (store, rounds) = (try store(), Int(environment["ROUNDS"] ?? "") ?? 100)
        let drained = Int(environment["DRAINED"] ?? "") ?? rounds
        var (queueing, claiming, recording) = (
            DeliveryWorkbench.Cost(), DeliveryWorkbench.Cost(), DeliveryWorkbench.Cost()
        )
        for round in 0..<rounds {
            let deliveries = DeliveryWorkbench.fanOut(batch, from: round * batch)
            queueing += try DeliveryWorkbench.cost { try store.outbox.enqueue(deliveries) }
        }
        for _ in 0..<drained {
            let claimed = try claim(store, &claiming)
            precondition(claimed.count == batch, "claimed \(claimed.count)")
            try record(claimed, in: store, &recording)
        }
        guard drained == rounds else { return }
        let counts = try store.outbox.counts()
        precondition(counts[.delivered] ?? 0 == rounds * batch, "counted \(counts)")
        let count = rounds * batch
        var both = claiming
        both += recording
        guard count > 0 else { return }
        print(
            "store: queued \(queueing.rate(count)), claimed \(claiming.rate(count)), recorded \(recording.rate(count)), claimed and recorded \(both.rate(count))"
        )
    }

    /// Queues, claims and records batches for `STEADY_SECONDS`, and tells how fast claims were in each sixth of that.
    static func steady() throws {
        let (store, seconds) = (try store(), Double(environment["STEADY_SECONDS"] ?? "") ?? 120)
        let start = ContinuousClock.now
        var (round, part) = (0, 1.0)
        var (claiming, claims, other) = (DeliveryWorkbench.Cost(), 0, DeliveryWorkbench.Cost())
        while true {
            let elapsed = (ContinuousClock.now - start) / .seconds(1)
            if elapsed >= seconds * part / 6 {
                print("store: until \(Int(elapsed)) s: claimed \(claiming.rate(claims))")
                (claiming, claims, part) = (DeliveryWorkbench.Cost(), 0, part + 1)
                if part > 6 { return }
            }
            let deliveries = DeliveryWorkbench.fanOut(batch, from: round * batch)
            try store.outbox.enqueue(deliveries)
            let claimed = try claim(store, &claiming)
            claims += claimed.count
            try record(claimed, in: store, &other)
            round += 1
        }
    }

    /// Turns a broadcast to all registered devices into deliveries.
    static func broadcast() throws {
        let store = try store()
        let now = Date()
        let broadcast = Broadcast(
            applicationID: "com.example.reader", target: .everybody, options: ["GCM": ["alert": "The lamps are lit"]],
            createdAt: now, expiresAt: now + 86_400)
        try store.outbox.begin(broadcast)
        var (count, memory) = (0, [DeliveryWorkbench.residentMegabytes])
        let cost = try DeliveryWorkbench.cost {
            while let step = try store.outbox.expandBroadcast(broadcast.id, limit: 5000), !step.isLast {
                count += step.enqueued
                memory.append(DeliveryWorkbench.residentMegabytes)
            }
        }
        let middle = memory[memory.count / 2]
        print(
            """
            store: broadcast to \(count) devices, \(cost.rate(count)); memory \(memory[0]) MB before, \(middle) MB in the middle, \
            \(memory.max() ?? 0) MB at most
            """)
    }

    private static func store() throws -> SQLStore {
        guard let address = PostgreSQLAddress(environment["ADDRESS"] ?? "") else {
            print("run benchmarks/store-in-postgresql instead, which starts PostgreSQL")
            throw ExitError()
        }
        return try SQLStore(address)
    }

    private static func claim(_ store: SQLStore, _ cost: inout DeliveryWorkbench.Cost) throws -> [Delivery] {
        var claimed: [Delivery] = []
        cost += try DeliveryWorkbench.cost {
            claimed = try store.outbox.claim(limit: batch, lease: .seconds(600), worker: "benchmark")
        }
        return claimed
    }

    private static func record(_ claimed: [Delivery], in store: SQLStore, _ cost: inout DeliveryWorkbench.Cost) throws {
        let now = Date()
        let reports = claimed.map {
            DeliveryReport(on: $0, ending: .delivered, date: now, serviceID: $0.id.uuidString)
        }
        cost += try DeliveryWorkbench.cost { try store.outbox.record(reports, worker: "benchmark") }
    }
}
