import Core
import Foundation
import PushModel
import Storage
import Synchronization
import Testing

@Suite("Several threads and several stores on one file")
struct SharingTests {
    let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    /// Runs `body` for 0..<count on several threads at once, and returns the results.
    private func concurrently<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) throws -> Value
    ) throws -> [Value] {
        let results = Mutex<[Result<Value, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = Result { try body(index) }
            results.withLock { $0.append(result) }
        }
        return try results.withLock { try $0.map { try $0.get() } }
    }

    @Test("Threads that subscribe many devices of one user make one user subscription")
    func manySubscribes() throws {
        let store = try folder.open()
        let outcomes = try concurrently(64) { try store.subscribe(subscription(device: "device \($0)")) }
        #expect(outcomes.count { $0.isFirstDeviceOfUser } == 1)
        #expect(outcomes.allSatisfy { $0.change == .created })
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter(userID: "ann")).count == 64)
    }

    @Test("Threads that subscribe one device for different users leave one of them")
    func rivals() throws {
        let store = try folder.open()
        let outcomes = try concurrently(32) { try store.subscribe(subscription("user \($0)")) }
        #expect(outcomes.flatMap(\.removed).count == 31)
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter()).count == 1)
    }

    @Test("Two stores on one file see each other's writes at once")
    func visibility() throws {
        let (one, other) = (try folder.open(), try folder.open())
        _ = try one.subscribe(subscription())
        #expect(try other.userSubscription(eventSource: news, userID: "ann") != nil)
        try other.outbox.enqueue([delivery()])
        #expect(try one.claimAtNoon().count == 1)
        #expect(try other.claimAtNoon(worker: "other").isEmpty)
    }

    @Test("Two stores that write at the same time wait for each other")
    func writers() throws {
        let stores = [try folder.open(), try folder.open()]
        _ = try concurrently(64) { try stores[$0 % 2].subscribe(subscription(device: "device \($0)")) }
        #expect(try stores[0].deviceSubscriptions(matching: SubscriptionFilter()).count == 64)
    }

    @Test("Workers that claim at the same time through two stores never get the same delivery")
    func claims() throws {
        let stores = [try folder.open(), try folder.open()]
        let deliveries = (0..<400).map { _ in delivery() }
        try stores[0].outbox.enqueue(deliveries)
        let batches = try concurrently(60) { try stores[$0 % 2].claimAtNoon(10, worker: "worker \($0)") }
        let claimed = batches.flatMap(\.self)
        #expect(claimed.count == 400)
        #expect(Set(claimed.map(\.id)) == Set(deliveries.map(\.id)))
    }

    @Test("Stores that open a new file at the same time all succeed")
    func opening() throws {
        let folder = folder
        let users = try concurrently(8) { index in
            try folder.open().subscribe(subscription("user \(index)", device: "device \(index)"))
        }
        #expect(users.count == 8)
        #expect(try folder.open().deviceSubscriptions(matching: SubscriptionFilter()).count == 8)
    }

    @Test("Reading does not wait for a writer")
    func readingWhileLocked() throws {
        let store = try folder.open()
        _ = try store.subscribe(subscription())
        let other = try folder.otherConnection()
        try other.run("BEGIN IMMEDIATE; DELETE FROM device_subscription")
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter()) == [subscription()])
        try other.run("ROLLBACK")
    }
}
