public import PushModel

import struct Foundation.UUID

/// Takes the broadcasts of `sendMessage`: commits them, creates their deliveries batch by batch, wakes the worker, and returns how
/// long the script should wait.
public struct OutboxBroadcastSender: BroadcastSender {
    private let broadcasts: any BroadcastStore
    private let pressure: OutboxBackpressure
    private let worker: OutboxWorker?
    private let batchSize: Int

    /// - Parameters:
    ///   - broadcasts: the store that is the worker's outbox.
    ///   - pressure: the worker's.
    ///   - worker: the worker of this process, or `nil` when another process has it.
    ///   - batchSize: how many deliveries are made in one transaction. Others who write wait as long as it takes.
    public init(
        broadcasts: any BroadcastStore, pressure: OutboxBackpressure, worker: OutboxWorker?, batchSize: Int = 5000
    ) {
        self.broadcasts = broadcasts
        self.pressure = pressure
        self.worker = worker
        self.batchSize = batchSize
    }

    public func send(_ broadcast: Broadcast) throws(StoreError) -> Int {
        try broadcasts.begin(broadcast)
        try finish(broadcast.id)
        return pressure.millisecondsToWait
    }

    public func resume() throws(StoreError) -> Int {
        let unfinished = try broadcasts.unfinishedBroadcasts()
        for id in unfinished { try finish(id) }
        return unfinished.count
    }

    private func finish(_ id: UUID) throws(StoreError) {
        while let step = try step(id), !step.isLast {}
    }

    /// Adds to the pressure before the store has the deliveries, so that the worker cannot finish them first.
    private func step(_ id: UUID) throws(StoreError) -> BroadcastStep? {
        pressure.add(batchSize)
        let step: BroadcastStep?
        do {
            step = try broadcasts.expandBroadcast(id, limit: batchSize)
        } catch {
            pressure.takeBack(batchSize)
            throw error
        }
        let enqueued = step?.enqueued ?? 0
        pressure.takeBack(batchSize - enqueued)
        if enqueued > 0 { worker?.wake() }
        return step
    }
}
