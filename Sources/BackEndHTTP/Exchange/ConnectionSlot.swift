import CCurl
import Dispatch
import Foundation
import HTTPTransfer
import PushModel
import Synchronization

/// A place for one exchange at a time, with the connections that it has kept: an easy handle of libcurl in a multi handle of its own.
///
/// A slot belongs to the thread that has taken it from its ``ConnectionSlots``, and to nobody while it is idle there. Other threads
/// call ``wakeUp()`` only, which libcurl allows.
final class ConnectionSlot: @unchecked Sendable {
    let handle: EasyHandle
    let multi: UnsafeMutableRawPointer
    /// When the slot was last given back.
    fileprivate(set) var lastUse = ContinuousClock.now

    /// How many there are in the process.
    private static let count = Atomic(0)

    /// Whether the process has so many slots that none is kept idle: with three descriptors for each they take a quarter of the files
    /// that it may have open.
    fileprivate static var areTooMany: Bool { count.load(ordering: .relaxed) > max(16, openFiles / 12) }

    private static var openFiles: Int {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        return limit > 0 ? limit : 1024
    }

    init() throws(ExchangeError) {
        guard let handle = EasyHandle(), let multi = curl_multi_init() else {
            throw ExchangeError("libcurl could not start: out of memory")
        }
        (self.handle, self.multi) = (handle, multi)
        Self.count.add(1, ordering: .relaxed)
    }

    deinit {
        curl_multi_cleanup(multi)
        Self.count.subtract(1, ordering: .relaxed)
    }

    /// Ends a wait in the slot.
    func wakeUp() { curl_multi_wakeup(multi) }
}

/// The slots of an adapter: as many as it may have connections. Threads that find none free wait, in the order in which they came.
final class ConnectionSlots: Sendable {
    private struct State {
        /// The number of slots that may still be taken.
        var free: Int
        /// Most recently used last.
        var idle: [ConnectionSlot] = []
        var all: [ConnectionSlot] = []
        var waiting: [DispatchSemaphore] = []
    }

    private let count: Int
    private let idleTimeout: Duration
    private let state: Mutex<State>
    private let closed = Atomic(false)
    private let isEmpty = Promise<Void>()

    /// - Parameter idleTimeout: how long an unused slot keeps its connections. They are closed when another slot is given back.
    init(count: Int, idleTimeout: Duration) {
        self.count = max(1, count)
        self.idleTimeout = idleTimeout
        state = Mutex(State(free: self.count))
    }

    /// Whether calls under way are to end.
    var isClosed: Bool { closed.load(ordering: .relaxed) }

    /// The number of slots that no call has.
    var idleCount: Int { state.withLock { $0.idle.count } }

    /// Takes the most recently used idle slot, or a new one.
    ///
    /// - Returns: `nil` when none was free until `deadline`, or nobody wants one any more; else the caller must ``give(_:isKept:)`` it
    ///   back.
    func take(
        until deadline: ContinuousClock.Instant, unless isGivenUp: (@Sendable () -> Bool)? = nil
    ) throws(ExchangeError) -> ConnectionSlot? {
        let turn = DispatchSemaphore(value: 0)
        let (isFree, idle) = state.withLock { state -> (Bool, ConnectionSlot?) in
            guard state.free > 0 else {
                state.waiting.append(turn)
                return (false, nil)
            }
            state.free -= 1
            return (true, state.idle.popLast())
        }
        if let idle { return idle }
        if !isFree {
            let isMine =
                turn.wait(until: deadline, unless: isGivenUp)
                || state.withLock { state in
                    // Gone from the queue means that a place was handed over in this very moment.
                    guard let index = state.waiting.firstIndex(where: { $0 === turn }) else { return true }
                    state.waiting.remove(at: index)
                    return false
                }
            guard isMine else { return nil }
            if let idle = state.withLock({ $0.idle.popLast() }) { return idle }
        }
        do throws(ExchangeError) {
            let slot = try ConnectionSlot()
            state.withLock { $0.all.append(slot) }
            return slot
        } catch {
            leave()
            throw error
        }
    }

    /// - Parameter isKept: whether the slot's connections may be used again.
    func give(_ slot: ConnectionSlot, isKept: Bool) {
        let now = ContinuousClock.now
        slot.lastUse = now
        leave { state in
            var old: [ConnectionSlot] = []
            while let oldest = state.idle.first, now - oldest.lastUse >= idleTimeout {
                old.append(state.idle.removeFirst())
            }
            if isKept, !isClosed, !ConnectionSlot.areTooMany { state.idle.append(slot) } else { old.append(slot) }
            if !old.isEmpty { state.all.removeAll { slot in old.contains { $0 === slot } } }
            // They are closed after the lock.
            return old
        }
    }

    private func leave(_ change: (inout State) -> [ConnectionSlot] = { _ in [] }) {
        let (next, isLast, old) = state.withLock { state in
            let old = change(&state)
            guard state.waiting.isEmpty else { return (Optional(state.waiting.removeFirst()), false, old) }
            state.free += 1
            return (nil, state.free == count, old)
        }
        next?.signal()
        if isLast, isClosed { isEmpty.fulfill(()) }
        withExtendedLifetime(old) {}
    }

    /// Ends the exchanges that are under way, and those of later calls.
    func interrupt() {
        closed.store(true, ordering: .sequentiallyConsistent)
        for slot in state.withLock({ $0.all }) { slot.wakeUp() }
    }

    /// As ``interrupt()``, and closes all connections. Blocks until that is done.
    func close() {
        closed.store(true, ordering: .sequentiallyConsistent)
        let (idle, used, isUsed) = state.withLock { state in
            defer {
                state.idle = []
                state.all = []
            }
            return (state.idle, state.all, state.free < count)
        }
        for slot in used { slot.wakeUp() }
        if isUsed { _ = isEmpty.wait(until: nil) }
        withExtendedLifetime(idle) {}
    }
}
