import Core
import Foundation
import PushModel
import Storage
import TestSupport

/// The real store, which a test can make fail or wait, and which records how it was called.
final class FailingOutbox: Outbox, BroadcastStore {
    enum Call: Sendable, Hashable {
        case enqueue, flush, claim, record, release, beat, nextDue, depth, purge, expandBroadcast
    }

    struct State: Sendable {
        var calls: [Call] = []
        /// The errors, and how many calls succeed before.
        var failures: [Call: (error: StoreError, successes: Int)] = [:]
        /// The number of reports in each call of `record`.
        var batches: [Int] = []
        var purgeLimits: [Date] = []
        /// The result of heartbeats; `nil` as for a store of one server.
        var heartbeat: OutboxHeartbeat?
        /// Makes claims come back empty although something is due.
        var claimsNothing = false
    }

    let state = AwaitableValue(State())
    let time = ManualTime()
    let store: SQLStore
    private let folder: TemporaryFolder?
    private let interrupt: @Sendable (Call) -> Void

    /// - Parameters:
    ///   - deliveries: what the store has at first.
    ///   - folder: where the store is; in memory without one.
    ///   - busyTimeout: how long the store waits for others that hold the database. A worker whose store fails pauses on
    ///     ``time``, which only the test moves: only a test that holds the database may set it low.
    ///   - interrupt: called at the beginning of each call, on its thread; may block.
    init(
        _ deliveries: [Delivery] = [], in folder: TemporaryFolder? = nil, busyTimeout: Duration = .noLimit,
        interrupt: @escaping @Sendable (Call) -> Void = { _ in }
    ) throws {
        self.folder = folder
        self.interrupt = interrupt
        if let folder {
            store = try SQLStore(folder: folder.path, busyTimeout: busyTimeout, time: time)
        } else {
            store = try SQLStore(inMemoryAt: time)
        }
        try store.outbox.enqueue(deliveries)
    }

    private func enter(_ call: Call) throws(StoreError) {
        interrupt(call)
        let error: StoreError? = state.update { state in
            state.calls.append(call)
            guard let failure = state.failures[call] else { return nil }
            return state.calls.count { $0 == call } > failure.successes ? failure.error : nil
        }
        if let error { throw error }
    }

    func enqueue(_ deliveries: [Delivery]) throws(StoreError) {
        try enter(.enqueue)
        try store.outbox.enqueue(deliveries)
    }

    func flush() throws(StoreError) {
        try enter(.flush)
        try store.outbox.flush()
    }

    func claim(
        limit: Int, of channels: Set<DeliveryChannel>, lease: Duration, worker: String
    ) throws(StoreError) -> [Delivery] {
        try enter(.claim)
        if state.value.claimsNothing { return [] }
        return try store.outbox.claim(limit: limit, of: channels, lease: lease, worker: worker)
    }

    @discardableResult
    func record(_ reports: [DeliveryReport], worker: String) throws(StoreError) -> Int {
        try enter(.record)
        state.update { $0.batches.append(reports.count) }
        return try store.outbox.record(reports, worker: worker)
    }

    func beat(worker: String, silence: Duration) throws(StoreError) -> OutboxHeartbeat? {
        try enter(.beat)
        return state.value.heartbeat
    }

    func release(worker: String) throws(StoreError) -> Int {
        try enter(.release)
        return try store.outbox.release(worker: worker)
    }

    func timeToNext(of channels: Set<DeliveryChannel>) throws(StoreError) -> Duration? {
        try enter(.nextDue)
        return try store.outbox.timeToNext(of: channels)
    }

    func depth() throws(StoreError) -> OutboxDepth {
        try enter(.depth)
        return try store.outbox.depth()
    }

    func purge(endedBefore date: Date, keeping: Int) throws(StoreError) -> Int {
        try enter(.purge)
        state.update { $0.purgeLimits.append(date) }
        return try store.outbox.purge(endedBefore: date, keeping: keeping)
    }

    func expandBroadcast(_ id: UUID, limit: Int) throws(StoreError) -> BroadcastStep? {
        try enter(.expandBroadcast)
        return try store.outbox.expandBroadcast(id, limit: limit)
    }
}

/// The calls that never fail.
extension FailingOutbox {
    func deliveries(
        matching filter: DeliveryFilter, before number: Int64?, limit: Int
    ) throws(StoreError) -> ListPage<Delivery, Int64> {
        try store.outbox.deliveries(matching: filter, before: number, limit: limit)
    }

    func delivery(_ number: Int64) throws(StoreError) -> Delivery? { try store.outbox.delivery(number) }

    func cancelDeliveries(_ numbers: [Int64], reason: String, at date: Date) throws(StoreError) -> Int {
        try store.outbox.cancelDeliveries(numbers, reason: reason, at: date)
    }

    func counts() throws(StoreError) -> [DeliveryState: Int] { try store.outbox.counts() }

    func counts(ofNotification id: UUID) throws(StoreError) -> [DeliveryState: Int] {
        try store.outbox.counts(ofNotification: id)
    }

    func begin(_ broadcast: Broadcast) throws(StoreError) { try store.outbox.begin(broadcast) }

    func endBroadcast(_ id: UUID) throws(StoreError) { try store.outbox.endBroadcast(id) }

    func unfinishedBroadcasts() throws(StoreError) -> [UUID] { try store.outbox.unfinishedBroadcasts() }
}

extension FailingOutbox {
    /// The deliveries, oldest first.
    var all: [Delivery] {
        get throws { try deliveries(state: nil, limit: 100).reversed() }
    }

    /// Makes a call fail from now on, or after so many calls in all; with `nil`, makes it work again.
    func fail(_ call: Call, _ error: StoreError?, after successes: Int = 0) {
        state.update { $0.failures[call] = error.map { ($0, successes) } }
    }

    func count(_ call: Call) -> Int { state.value.calls.count { $0 == call } }

    /// Returns once so many deliveries are in each state, and others in none.
    func wait(for expected: [DeliveryState: Int]) async throws {
        try await waitUntil { try counts() == expected }
    }

    /// Returns once every delivery is in this state.
    func waitUntilAll(are expected: DeliveryState) async throws {
        try await waitUntil { try counts().keys.allSatisfy { $0 == expected } }
    }
}
