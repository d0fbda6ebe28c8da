import Core
import Foundation
import GRDB
import PushModel
import Testing

@testable import Storage

@Suite("Broadcasts", .everyStore)
struct BroadcastTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func devices(_ store: SQLStore) throws -> [String] {
        try store.outbox.deliveries(state: nil, limit: 100_000).compactMap(\.target.deviceID).sorted()
    }

    @Test("A broadcast's deliveries are those of one notification, to the current registrations")
    func deliveries() throws {
        try store.register(registration("a"))
        try store.register(registration("b", user: nil, platform: .apple))
        let broadcast = broadcast()
        try store.outbox.begin(broadcast)
        #expect(try store.all().isEmpty)
        #expect(try store.outbox.expandBroadcast(broadcast.id, limit: 10) == BroadcastStep(enqueued: 2, isLast: true))
        let deliveries = try store.all().reversed() as [Delivery]
        #expect(
            deliveries.map(\.target) == [
                .registration(registration("a"), by: .tag("Push.ALL")),
                .registration(registration("b", user: nil, platform: .apple), by: .tag("Push.ALL")),
            ])
        #expect(deliveries.allSatisfy { $0.notificationID == broadcast.id && $0.options == broadcast.options })
        #expect(deliveries.allSatisfy { $0.createdAt == noon && $0.expiresAt == noon + 86_400 })
        #expect(try folder.notificationCount() == 1)
    }

    @Test("A broadcast's recipients are counted by platform, each once, with an example")
    func recipients() throws {
        for (device, platform) in [("a", Platform.android), ("b", .android), ("c", .apple)] {
            try store.register(registration(device, platform: platform))
        }
        func count(_ target: BroadcastTarget) throws -> [String: Int] {
            let found = try store.recipients(of: target, applicationID: "Reader")
            return Dictionary(uniqueKeysWithValues: found.map { ($0.example.platformName, $0.count) })
        }
        #expect(try count(.everybody) == ["Android": 2, "Apple": 1])
        #expect(try count(.devices(["a", "c", "nobody's"])) == ["Android": 1, "Apple": 1])
        #expect(try count(.users(["ann"])) == ["Android": 2, "Apple": 1])
        #expect(try count(.platforms([.apple])) == ["Apple": 1])
        // Devices with several of the tags count once.
        #expect(try count(.tags(["Push.ALL", "Push.ALL"])) == ["Android": 2, "Apple": 1])
        #expect(try count(.devices([])).isEmpty)
        #expect(try store.recipients(of: .everybody, applicationID: "Other").isEmpty)
        _ = try store.subscribe(subscription("ann", to: news, device: "a1"), owing: nil)
        let subscribers = try store.recipients(of: .eventSource(news), applicationID: "Reader")
        #expect(subscribers.map(\.count) == [1])
        #expect(subscribers.map(\.example) == [.subscription(subscription("ann", to: news, device: "a1"))])
    }

    @Test("A broadcast grows step by step, and is removed after the last")
    func steps() throws {
        try folder.registerMany(7)
        let broadcast = broadcast(.tags(["cars", "Push.ALL"]))
        try store.outbox.begin(broadcast)
        #expect(try store.outbox.unfinishedBroadcasts() == [broadcast.id])
        #expect(try store.finish(broadcast.id, limit: 3) == [3, 3, 1])
        #expect(try devices(store) == (0..<7).map { "0000\($0)" })
        #expect(try store.outbox.unfinishedBroadcasts().isEmpty)
        #expect(try store.outbox.expandBroadcast(broadcast.id, limit: 3) == nil)
    }

    @Test(
        "One to an event source reaches its subscribers of the application, step by step, with alias and options",
        arguments: [1, 2, 9])
    func eventSource(limit: Int) throws {
        var subscribers: [DeviceSubscription] = []
        for (user, device) in [("ann", "a1"), ("ann", "a2"), ("bob", "b1")] {
            subscribers.append(subscription(user, to: news, device: device, alias: "alias of \(device)"))
        }
        for subscriber in subscribers { _ = try store.subscribe(subscriber, owing: nil) }
        _ = try store.subscribe(subscription("ann", to: sport, device: "a1"), owing: nil)
        _ = try store.subscribe(subscription("eve", to: news, device: "e1", application: "Other"), owing: nil)
        let broadcast = broadcast(.eventSource(news))
        try store.outbox.begin(broadcast)
        #expect(try store.finish(broadcast.id, limit: limit).reduce(0, +) == 3)
        let deliveries = try store.all().reversed() as [Delivery]
        #expect(deliveries.map(\.target) == subscribers.map(DeliveryTarget.subscription))
        #expect(deliveries.allSatisfy { $0.notificationID == broadcast.id })
        #expect(try store.claimAtNoon().map(\.target) == subscribers.map(DeliveryTarget.subscription))
    }

    @Test("A broadcast that is ended makes no more deliveries, and those that are queued are cancelled together")
    func ended() throws {
        try folder.registerMany(7)
        let broadcast = broadcast(.tags(["Push.ALL"]))
        try store.outbox.begin(broadcast)
        _ = try store.outbox.expandBroadcast(broadcast.id, limit: 3)
        try store.outbox.endBroadcast(broadcast.id)
        #expect(try store.outbox.unfinishedBroadcasts().isEmpty)
        #expect(try store.outbox.expandBroadcast(broadcast.id, limit: 3) == nil)
        _ = try store.claimAtNoon(1)
        let numbers = try store.all().compactMap(\.number.value)
        #expect(try store.outbox.cancelDeliveries(numbers, reason: "no", at: noon) == 2)
        #expect(try store.outbox.counts() == [.sending: 1, .refused: 2])
    }

    @Test("A step reads a bounded number of the target's values")
    func manyValues() throws {
        try store.register(registration("d9"))
        let broadcast = broadcast(.devices((0..<10).map { "d\($0)" }))
        try store.outbox.begin(broadcast)
        #expect(try store.finish(broadcast.id, limit: 4) == [0, 0, 1])
    }

    @Test("A broadcast without recipients ends at once and leaves no row")
    func nobody() throws {
        let broadcast = broadcast(.users([]))
        try store.outbox.begin(broadcast)
        #expect(try store.outbox.expandBroadcast(broadcast.id, limit: 3) == BroadcastStep(enqueued: 0, isLast: true))
        #expect(try folder.notificationCount() == 0)
    }

    @Test("Beginning one twice begins it once")
    func beginTwice() throws {
        try folder.registerMany(2)
        let broadcast = broadcast(.devices(["00000", "00001"]))
        try store.outbox.begin(broadcast)
        try store.outbox.begin(broadcast)
        #expect(try store.finish(broadcast.id).reduce(0, +) == 2)
    }

    @Test("Two simultaneous broadcasts stay separate, and the older is listed first")
    func two() throws {
        try folder.registerMany(4)
        let (one, other) = (broadcast(), broadcast(.platforms([.android])))
        try store.outbox.begin(one)
        try store.outbox.begin(other)
        #expect(try store.outbox.unfinishedBroadcasts() == [one.id, other.id])
        _ = try store.outbox.expandBroadcast(one.id, limit: 1)
        _ = try store.outbox.expandBroadcast(other.id, limit: 2)
        _ = try store.finish(one.id)
        _ = try store.finish(other.id)
        let all = try store.all()
        #expect(all.count { $0.notificationID == one.id } == 4)
        #expect(all.count { $0.notificationID == other.id } == 4)
    }

    @Test("A delivery purged meanwhile does not stop a broadcast")
    func purged() throws {
        try folder.registerMany(2)
        let broadcast = broadcast()
        try store.outbox.begin(broadcast)
        _ = try store.outbox.expandBroadcast(broadcast.id, limit: 1)
        try store.outbox.record(try store.claimAtNoon().map { .of($0, .delivered) }, worker: "worker")
        #expect(try store.outbox.purge(endedBefore: noon + 86_400, keeping: .max) == 1)
        #expect(try store.finish(broadcast.id).reduce(0, +) == 1)
    }

    @Test("Two processes that finish one together make each delivery once")
    func together() throws {
        try folder.registerMany(200)
        let stores = [store, try folder.open()]
        let broadcast = broadcast()
        try store.outbox.begin(broadcast)
        DispatchQueue.concurrentPerform(iterations: 2) { _ = try? stores[$0].finish(broadcast.id, limit: 7) }
        #expect(try devices(store) == (0..<200).map { String(format: "%05d", $0) })
    }

    @Test("A process killed within a step leaves the rest to be made, and nothing is made twice")
    func killed() async throws {
        guard StoreEngine.current == .sqlite else { return }
        // The child finds the folder by its parent's number.
        let path = NSTemporaryDirectory() + "lamplighter-broadcast-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: path) }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let store = try SQLStore(folder: NSTemporaryDirectory() + "lamplighter-broadcast-\(getppid())")
            for number in 0..<9 { try store.register(registration("d\(number)")) }
            let broadcast = broadcast()
            try store.outbox.begin(broadcast)
            _ = try store.outbox.expandBroadcast(broadcast.id, limit: 4)
            try store.sqlite.database.writeAhead { (database: Database) in
                _ = try database.expandBroadcast(broadcast.id, limit: 4, store.sqlite.journal)
                kill(getpid(), SIGKILL)
            }
        }
        let store = try SQLStore(folder: path)
        #expect(try devices(store) == ["d0", "d1", "d2", "d3"])
        let id = try #require(try store.outbox.unfinishedBroadcasts().first)
        #expect(try store.finish(id, limit: 4) == [4, 1])
        #expect(try devices(store) == (0..<9).map { "d\($0)" })
    }

    @Test("A step on a full disk fails whole, and goes on later")
    func diskFull() throws {
        guard StoreEngine.current == .sqlite else { return }
        try folder.registerMany(2000)
        let broadcast = broadcast()
        try store.outbox.begin(broadcast)
        let pages = try store.sqlite.database.read { try Int.fetchOne($0, sql: "PRAGMA page_count") } ?? 0
        let full = try SQLStore(
            folder: folder.path, busyTimeout: .seconds(5), pragmas: ["PRAGMA max_page_count = \(pages + 2)"])
        #expect(
            code { () throws(StoreError) in _ = try full.outbox.expandBroadcast(broadcast.id, limit: 2000) }
                == .diskFull)
        #expect(try devices(store).isEmpty)
        #expect(try store.finish(broadcast.id, limit: 1000) == [1000, 1000, 0])
    }
}
