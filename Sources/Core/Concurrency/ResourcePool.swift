package import Dispatch
import NIOConcurrencyHelpers

/// A pool of at most `limit` items, such as connections, each with one user at a time. Waiting users are served in order of arrival.
///
/// A user that will need the same item again returns it with an owner. Others then get that item only when the pool has no other, and never if it is
/// reserved.
///
/// `take` and `give` hold a lock once, for a short time. The lock does not spin: with more threads than processors, `Mutex` makes threads
/// queue behind one that is not running.
package final class ResourcePool<Item: Sendable, Owner: Hashable & Sendable>: Sendable {
    /// The result of a request for a slot.
    package enum Place: Sendable {
        /// A slot with the owner's item, or else with one that has no owner. Of several the one that was used last.
        case kept(Item)
        /// A slot with another owner's item.
        case foreign(Item)
        /// A slot without an item.
        case empty
        /// The wait ended before one was free.
        case late
        /// The pool is closed.
        case closed
    }

    /// A user that waits for a slot.
    ///
    /// `@unchecked Sendable`: `place` is set under the pool's lock before the turn, and read after the turn or under the lock.
    package final class Waiter: @unchecked Sendable {
        fileprivate let onTurn: @Sendable () -> Void
        fileprivate var place: Place?

        fileprivate init(_ onTurn: @escaping @Sendable () -> Void) { self.onTurn = onTurn }
    }

    /// The result of a request for a slot that does not wait.
    package enum Request: Sendable {
        case place(Place)
        /// None is free. After the turn, or when the user no longer waits, ``end(_:)`` returns the result.
        case waits(Waiter)
    }

    private struct Idle {
        let item: Item
        let owner: Owner?
        let isReserved: Bool
        let since: ContinuousClock.Instant
    }

    private struct State {
        var taken = 0
        var isClosed = false
        /// Most recently used last.
        private(set) var idle: [Idle] = []
        /// The number of reserved ones among ``idle``. To count them took 40 us with 30 idle items.
        private var reserved = 0
        var waiting: [Waiter] = []

        mutating func add(_ new: Idle) {
            idle.append(new)
            if new.isReserved { reserved += 1 }
        }

        mutating func remove(at index: Int) -> Item {
            let removed = idle.remove(at: index)
            if removed.isReserved { reserved -= 1 }
            return removed.item
        }

        mutating func removeAll() -> [Item] {
            defer { (idle, reserved) = ([], 0) }
            return idle.map { $0.item }
        }

        /// - Returns: `nil` if all slots are taken or reserved for others.
        mutating func takeIdle(for owner: Owner?, limit: Int) -> Place? {
            let own = owner.flatMap { owner in idle.lastIndex { $0.owner == owner } }
            // A reserved item does not wait behind others, who wait for such items.
            if let own, idle[own].isReserved { return .kept(remove(at: own)) }
            guard taken + reserved < limit else { return nil }
            if let index = own ?? idle.lastIndex(where: { $0.owner == nil }) {
                return .kept(remove(at: index))
            }
            // All idle items belong to others.
            guard taken + idle.count >= limit, let index = idle.firstIndex(where: { !$0.isReserved }) else {
                return .empty
            }
            return .foreign(remove(at: index))
        }
    }

    private let limit: Int
    private let idleLimit: Duration
    private let state = NIOLockedValueBox(State())
    private let isEmpty = Promise<Void>()

    /// - Parameter idleLimit: how long an idle item is kept; checked whenever a slot is returned.
    package init(limit: Int, idleLimit: Duration) {
        self.limit = max(1, limit)
        self.idleLimit = idleLimit
    }

    /// The number of idle items.
    package var idleCount: Int { state.withLockedValue { $0.idle.count } }

    /// Takes a slot. After `kept`, `foreign` and `empty` the caller must return it to the pool.
    ///
    /// - Parameters:
    ///   - owner: the owner whose item is preferred.
    ///   - wait: waits for the semaphore when no slot is free; returns false when the wait is over without it.
    package func take(for owner: Owner? = nil, _ wait: (DispatchSemaphore) -> Bool) -> Place {
        let turn = DispatchSemaphore(value: 0)
        switch request(for: owner, onTurn: { turn.signal() }) {
        case .place(let place): return place
        case .waits(let waiter): return wait(turn) ? waiter.place ?? .closed : end(waiter)
        }
    }

    /// Takes a slot, as ``take(for:_:)``, or queues for one.
    ///
    /// - Parameter onTurn: called once, on any thread, when one is free.
    package func request(for owner: Owner? = nil, onTurn: @escaping @Sendable () -> Void) -> Request {
        state.withLockedValue { state in
            if state.isClosed { return .place(.closed) }
            guard let place = state.takeIdle(for: owner, limit: limit) else {
                let waiter = Waiter(onTurn)
                state.waiting.append(waiter)
                return .waits(waiter)
            }
            state.taken += 1
            return .place(place)
        }
    }

    /// Ends a wait.
    ///
    /// - Returns: the slot, if the turn has come.
    package func end(_ waiter: Waiter) -> Place {
        state.withLockedValue { state in
            guard let index = state.waiting.firstIndex(where: { $0 === waiter }) else { return waiter.place ?? .closed }
            state.waiting.remove(at: index)
            return .late
        }
    }

    /// Takes the idle item of an owner; `nil` when the pool has none. The caller must return it.
    package func takeBack(from owner: Owner) -> Item? {
        state.withLockedValue { state in
            guard let index = state.idle.lastIndex(where: { $0.owner == owner }) else { return nil }
            state.taken += 1
            return state.remove(at: index)
        }
    }

    /// Returns a slot to the pool.
    ///
    /// - Parameters:
    ///   - item: the item for the next user; `nil` for none.
    ///   - owner: the owner who will need the item again; `nil` for none.
    ///   - isReserved: whether nobody but the owner may get the item.
    /// - Returns: items that were removed from the pool.
    package func give(_ item: Item?, for owner: Owner? = nil, isReserved: Bool = false) -> [Item] {
        let now = ContinuousClock.now
        let (next, old, isLast) = state.withLockedValue { state -> (Waiter?, [Item], Bool) in
            var old: [Item] = []
            while let index = state.idle.firstIndex(where: { !$0.isReserved }),
                now - state.idle[index].since >= idleLimit
            {
                old.append(state.remove(at: index))
            }
            if !(isReserved && item != nil), let next = state.waiting.first {
                state.waiting.removeFirst()
                next.place = item.map { owner == nil ? .kept($0) : .foreign($0) } ?? .empty
                return (next, old, false)
            }
            state.taken -= 1
            if let item {
                let idle = Idle(item: item, owner: owner, isReserved: isReserved, since: now)
                if state.isClosed { old.append(item) } else { state.add(idle) }
            }
            return (nil, old, state.isClosed && state.taken == 0)
        }
        next?.onTurn()
        if isLast { isEmpty.fulfill(()) }
        return old
    }

    /// Closes the pool: later and waiting requests for a slot fail.
    ///
    /// - Returns: the idle items.
    package func close() -> [Item] {
        let (idle, waiting, isEmptyNow) = state.withLockedValue { state in
            defer { (state.isClosed, state.waiting) = (true, []) }
            return (state.removeAll(), state.waiting, state.taken == 0)
        }
        for waiter in waiting { waiter.onTurn() }
        if isEmptyNow { isEmpty.fulfill(()) }
        return idle
    }

    /// Waits, after ``close()``, until all slots have been returned. Blocks the thread.
    package func waitUntilEmpty() { _ = isEmpty.wait(until: nil) }
}
