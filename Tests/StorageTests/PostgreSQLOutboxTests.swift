import Core
import Databases
import Foundation
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import Storage

@Suite("An outbox in PostgreSQL that several servers share")
struct PostgreSQLOutboxTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws {
        (folder, store) = try StoreEngine.$current.withValue(.postgreSQL) { try StoreFolder.withStore() }
    }

    private var outbox: PostgreSQLOutbox { store.outbox as! PostgreSQLOutbox }

    @Test("A delivery committed late, with a lower number than a claimed one, is claimed too") func late() throws {
        let (late, early) = (delivery(), delivery())
        let other = try folder.open()
        try outbox.change { transaction, changes in
            try outbox.insert([late], in: transaction, &changes)
            try other.outbox.enqueue([early])
            #expect(try other.claimAtNoon().map(\.id) == [early.id])
        }
        #expect(try other.claimAtNoon().map(\.id) == [late.id])
    }

    @Test("A delivery committed late waits for a begun later one to its device, and comes next") func lateInLane()
        throws
    {
        let (late, early, last) = (
            delivery(to: subscription()), delivery(to: subscription()), delivery(to: subscription())
        )
        let other = try folder.open()
        try outbox.change { transaction, changes in
            try outbox.insert([late], in: transaction, &changes)
            try other.outbox.enqueue([early])
            _ = try other.claimAtNoon()
        }
        try other.outbox.enqueue([last])
        for _ in 0..<2 { #expect(try other.claimAtNoon().isEmpty) }
        #expect(try other.outbox.release(worker: "worker") == 1)
        let again = try other.claimAtNoon()
        #expect(again.map(\.id) == [early.id])
        #expect(try store.outbox.record([.of(again[0], .delivered)], worker: "worker") == 1)
        #expect(try store.claimAtNoon().map(\.id) == [late.id])
    }

    @Test("Deliveries of a silent server go to another one, and its late report is refused") func silentServer() throws
    {
        let other = try folder.open()
        #expect(try store.outbox.beat(worker: "a", silence: .noLimit) == OutboxHeartbeat(wasKnown: false, dead: [:]))
        #expect(try store.outbox.beat(worker: "a", silence: .noLimit) == OutboxHeartbeat(wasKnown: true, dead: [:]))
        let (first, second) = (delivery(to: subscription()), delivery(to: subscription()))
        try store.outbox.enqueue([first, second])
        let held = try store.claimAtNoon(worker: "a")
        #expect(held.map(\.id) == [first.id])
        // Alive as far as anybody knows.
        #expect(try other.outbox.beat(worker: "b", silence: .noLimit)?.dead == [:])
        #expect(try other.claimAtNoon(worker: "b").isEmpty)

        #expect(try other.outbox.beat(worker: "b", silence: .seconds(-1))?.dead == ["a": 1])
        #expect(try other.outbox.beat(worker: "b", silence: .seconds(-1))?.dead == [:])
        let taken = try other.claimAtNoon(worker: "b")
        #expect(taken.map(\.id) == [first.id] && taken.map(\.attempts) == [2])
        try store.outbox.record(held.map { .of($0, .delivered) }, worker: "a")
        #expect(try store.outbox.counts()[.delivered, default: 0] == 0)
        // The silent one finds out.
        #expect(try store.outbox.beat(worker: "a", silence: .noLimit)?.wasKnown == false)
        #expect(try other.outbox.record(taken.map { .of($0, .delivered) }, worker: "b") == 1)
        #expect(try other.claimAtNoon(worker: "b").map(\.id) == [second.id])
    }

    @Test("A server that has stopped is not found dead") func stoppedServer() throws {
        _ = try store.outbox.beat(worker: "a", silence: .noLimit)
        #expect(try store.outbox.release(worker: "a") == 0)
        #expect(try store.outbox.beat(worker: "b", silence: .seconds(-1))?.dead == [:])
    }

    @Test("Several servers at work at once deliver everything once, and to each device one after the other")
    func together() async throws {
        let (devices, rounds) = (40, 5)
        let servers = try (0..<3).map { _ in try folder.open() }
        let ledger = Ledger(total: devices * rounds * servers.count)
        let pool = ThreadPool(name: "servers", threads: 6)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, server) in servers.enumerated() {
                group.addTask {
                    try await pool.run {
                        for round in 0..<rounds {
                            try server.outbox.enqueue(
                                (0..<devices).map { number in
                                    delivery(to: subscription(device: "d\((number * 7 + round) % devices)"))
                                })
                        }
                    }
                }
                group.addTask { try await pool.run { try ledger.work(on: server, worker: "server \(number)") } }
            }
            try await group.waitForAll()
        }
        #expect(ledger.problems.withLock { $0 } == [])
        #expect(try store.outbox.counts() == [.delivered: ledger.total])
        #expect(try store.outbox.depth() == OutboxDepth(waiting: 0, ended: ledger.total))
    }

    /// The holders of deliveries, and the deliveries that have ended.
    private final class Ledger: Sendable {
        let total: Int
        let problems = Mutex<[String]>([])
        private let held = Mutex<Set<String>>([])
        private let ended = Mutex<Set<UUID>>([])

        init(total: Int) { self.total = total }

        func work(on server: SQLStore, worker: String) throws {
            while ended.withLock({ $0.count }) < total {
                let claimed = try server.outbox.claim(limit: 13, lease: .seconds(60), worker: worker)
                for delivery in claimed { note(hold(delivery), "two of one device at once") }
                for delivery in claimed {
                    held.withLock { _ = $0.remove(delivery.target.deviceID ?? "") }
                    note(ended.withLock { $0.insert(delivery.id).inserted }, "one delivered twice")
                }
                try server.outbox.record(claimed.map { .of($0, .delivered) }, worker: worker)
            }
        }

        private func hold(_ delivery: Delivery) -> Bool {
            held.withLock { $0.insert(delivery.target.deviceID ?? "").inserted }
        }

        private func note(_ isRight: Bool, _ problem: String) {
            if !isRight { problems.withLock { $0.append(problem) } }
        }
    }

    @Test("A day of which all deliveries are forgotten leaves no table behind") func partitions() throws {
        for day in 0..<3 { try store.finish([delivery()], at: noon + Double(day) * 86_400) }
        let tables = {
            try store.database.read {
                try $0.all(
                    String.self,
                    "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'delivery_end'::regclass")
            }
        }
        #expect(try tables().count == 3)
        #expect(try store.outbox.purge(endedBefore: noon + 2 * 86_400, keeping: .max) == 2)
        #expect(try tables() == ["delivery_end_19677"])
    }

    @Test("A claim goes on at the last one's end, and reads everything again after five seconds") func looks()
        throws
    {
        let time = ManualTime()
        let store = try folder.open(time: time)
        try store.outbox.enqueue((0..<9).map { _ in delivery() })
        #expect(try store.outbox.claim(limit: 9, lease: .seconds(60), worker: "w").count == 9)
        var old = delivery()
        old.due = noon - 60
        try store.outbox.enqueue([old])
        #expect(try store.outbox.claim(limit: 9, lease: .seconds(60), worker: "w").isEmpty)
        time.advance(by: .seconds(5))
        #expect(try store.outbox.claim(limit: 9, lease: .seconds(60), worker: "w").map(\.id) == [old.id])
    }

    @Test(
        "Addresses are refused whose parts libpq would show in messages, passwords among them",
        arguments: [
            (
                "postgres://u:p%40ss@db.example.com:5432,[::1]:5433/app?sslmode=require",
                "PostgreSQL at db.example.com:5432,[::1]:5433/app"
            ), ("postgresql://db/app", "PostgreSQL at db/app"), ("postgres://u:p@ss@db/app", nil),
            ("postgres://u:50%off@db/app", nil), ("postgres://u:p/q@db/app", nil), ("postgres://u:p@db", nil),
            ("postgres://u:p@db:port/app", nil), ("mysql://db/app", nil),
        ] as [(String, String?)])
    func addresses(text: String, description: String?) {
        #expect(PostgreSQLAddress(text)?.description == description)
    }
}
