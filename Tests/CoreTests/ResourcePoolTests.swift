import Core
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("A pool of limited size", .onOwnThreads)
struct ResourcePoolTests {
    private final class Item: Sendable {}

    /// Signals when a thread begins to wait.
    private let isWaiting = DispatchSemaphore(value: 0)

    private func waiting(_ turn: DispatchSemaphore) -> Bool {
        isWaiting.signal()
        turn.wait()
        return true
    }

    private func inBackground<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Promise<Value> {
        let promise = Promise<Value>()
        Thread { promise.fulfill(body()) }.start()
        return promise
    }

    @Test("The item that was used last is taken first")
    func newest() throws {
        let pool = ResourcePool<Item, String>(limit: 2, idleLimit: .noLimit)
        let (old, new) = (Item(), Item())
        for _ in 0..<2 { _ = pool.take { _ in false } }
        #expect(pool.give(old).isEmpty)
        #expect(pool.give(new).isEmpty)
        guard case .kept(let item) = pool.take({ _ in false }) else { throw MissingItemError() }
        #expect(item === new)
    }

    @Test("A waiter gets a returned slot with its item")
    func handedOver() throws {
        let pool = ResourcePool<Item, String>(limit: 1, idleLimit: .noLimit)
        let item = Item()
        _ = pool.take { _ in false }
        let waiter = inBackground { pool.take(self.waiting) }
        isWaiting.wait()
        _ = pool.give(item)
        guard case .kept(let given) = waiter.wait(until: nil) else { throw MissingItemError() }
        #expect(given === item)
        #expect(pool.idleCount == 0)
    }

    @Test(
        "A reserved item goes to its owner alone, before those who wait, and to them when the owner no longer needs it")
    func reserved() throws {
        let pool = ResourcePool<Item, String>(limit: 1, idleLimit: .zero)
        let item = Item()
        _ = pool.take(for: "ann") { _ in false }
        #expect(pool.give(item, for: "ann", isReserved: true).isEmpty)
        let waiter = inBackground { pool.take(for: "bob", self.waiting) }
        isWaiting.wait()
        for _ in 1...2 {
            guard case .kept(let own) = pool.take(for: "ann", { _ in false }) else { throw MissingItemError() }
            #expect(own === item)
            #expect(pool.give(own, for: "ann", isReserved: true).isEmpty)
        }
        let returned = try #require(pool.takeBack(from: "ann"))
        _ = pool.give(returned)
        guard case .kept(let given) = waiter.wait(until: nil) else { throw MissingItemError() }
        #expect(given === item)
    }

    @Test("A waiter that waits too long gets no slot, and takes none")
    func late() throws {
        let pool = ResourcePool<Item, String>(limit: 1, idleLimit: .noLimit)
        _ = pool.take { _ in false }
        guard case .late = pool.take({ _ in false }) else { throw MissingItemError() }
        _ = pool.give(Item())
        guard case .kept = pool.take({ _ in false }) else { throw MissingItemError() }
    }

    @Test("Closing ends all waits, and returns idle items once the last slot is free")
    func close() throws {
        let pool = ResourcePool<Item, String>(limit: 1, idleLimit: .noLimit)
        _ = pool.take { _ in false }
        let waiter = inBackground { pool.take(self.waiting) }
        isWaiting.wait()
        #expect(pool.close().isEmpty)
        guard case .closed = waiter.wait(until: nil) else { throw MissingItemError() }
        let item = Item()
        #expect(pool.give(item).first === item)
        pool.waitUntilEmpty()
        guard case .closed = pool.take({ _ in false }) else { throw MissingItemError() }
    }

    @Test("An item idle for the limit is removed when another slot is returned")
    func idle() {
        let pool = ResourcePool<Item, String>(limit: 2, idleLimit: .zero)
        let (old, new) = (Item(), Item())
        for _ in 0..<2 { _ = pool.take { _ in false } }
        #expect(pool.give(old).isEmpty)
        #expect(pool.give(new).first === old)
    }

    private struct MissingItemError: Error {}
}
