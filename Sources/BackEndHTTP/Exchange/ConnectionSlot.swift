import CCurl
import Core
import Dispatch
import Foundation
import HTTPTransfer
import Synchronization

/// A slot for one transfer at a time, with its kept connections, which no other slot uses.
///
/// `@unchecked Sendable`: a slot belongs to the task that has taken it from its ``ConnectionSlotPool``, and to no task while it is idle. While
/// the ``TransferLoop`` runs its transfer, that uses it under its lock, and the task waits.
final class ConnectionSlot: @unchecked Sendable {
    let handle: EasyHandle
    /// libcurl's store of kept connections.
    private let connections: UnsafeMutableRawPointer
    /// The time when the slot was last returned.
    fileprivate(set) var lastUse = ContinuousClock.now

    /// The number of slots in the process.
    private static let count = Atomic(0)

    /// True if the process has so many slots that none is kept idle: with a descriptor for each they take a quarter of the files that it may
    /// have open.
    fileprivate static var areTooMany: Bool { count.load(ordering: .relaxed) > max(16, openFiles / 4) }

    private static var openFiles: Int {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        return limit > 0 ? limit : 1024
    }

    init() throws(BackEndTransferError) {
        guard let handle = EasyHandle(), let connections = lamplighterCurlMakeConnections() else {
            throw .outOfMemory
        }
        handle.set(CURLOPT_SHARE, connections)
        (self.handle, self.connections) = (handle, connections)
        Self.count.add(1, ordering: .relaxed)
    }

    deinit {
        // A store that a handle uses cannot be closed.
        handle.set(CURLOPT_SHARE, nil as UnsafeMutableRawPointer?)
        curl_share_cleanup(connections)
        Self.count.subtract(1, ordering: .relaxed)
    }
}

/// The slots of an adapter: as many as it may have connections. Tasks that find none free wait, in the order in which they came.
final class ConnectionSlotPool: Sendable {
    private let places: ResourcePool<ConnectionSlot, String>
    private let closed = Atomic(false)

    /// - Parameter idleTimeout: how long an unused slot keeps its connections. They are closed when another slot is returned.
    init(count: Int, idleTimeout: Duration) {
        places = ResourcePool(limit: count, idleLimit: idleTimeout)
    }

    /// True if running calls must end.
    var isClosed: Bool { closed.load(ordering: .relaxed) }

    /// The number of slots that no call has.
    var idleCount: Int { places.idleCount }

    /// Takes the most recently used idle slot, or a new one.
    ///
    /// - Parameter owner: whose slots alone are used; `nil` for those that belong to nobody.
    /// - Returns: `nil` when none was free until `deadline`, or the caller no longer waits; else a slot that the caller must return.
    /// - Throws: ``BackEndTransferError`` when no slot can be made, or calls must end.
    func take(
        for owner: String?, until deadline: ContinuousClock.Instant, unless isGivenUp: (@Sendable () -> Bool)? = nil,
        _ way: WaitingWay = .inLoop
    ) async throws(BackEndTransferError) -> ConnectionSlot? {
        let place: ResourcePool<ConnectionSlot, String>.Place
        switch way {
        case .onThread: place = places.take(for: owner) { $0.wait(until: deadline, unless: isGivenUp) }
        case .inLoop:
            let turn = Turn()
            switch places.request(for: owner, onTurn: turn.come) {
            case .place(let free): place = free
            case .waits(let waiter):
                await TransferLoop.shared.wait(for: turn) {
                    isGivenUp?() == true || ContinuousClock.now >= deadline
                }
                place = places.end(waiter)
            }
        }
        switch place {
        case .kept(let slot): return slot
        // Its connections are closed with it.
        case .foreign, .empty: break
        case .late: return nil
        case .closed: throw .notLoaded
        }
        do throws(BackEndTransferError) {
            return try ConnectionSlot()
        } catch {
            _ = places.give(nil)
            throw error
        }
    }

    /// - Parameters:
    ///   - owner: who alone may use the slot's connections; `nil` for all.
    ///   - isKept: whether the slot's connections may be used again.
    func give(_ slot: ConnectionSlot, for owner: String?, isKept: Bool) {
        slot.lastUse = .now
        // Those that are removed close their connections with the last reference.
        _ = places.give(isKept && !isClosed && !ConnectionSlot.areTooMany ? slot : nil, for: owner)
    }

    /// Ends the running transfers, and those of later calls.
    func interrupt() {
        closed.store(true, ordering: .sequentiallyConsistent)
        _ = places.close()
    }

    /// Like ``interrupt()``, and closes all connections. Blocks until that is done.
    func close() {
        interrupt()
        places.waitUntilEmpty()
    }
}
