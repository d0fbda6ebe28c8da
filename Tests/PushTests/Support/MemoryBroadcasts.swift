import Core
import Foundation
import PushModel
import TestSupport

/// Broadcasts in memory, to let a step fail when a test wants it. `StorageTests` tests the real store.
final class MemoryBroadcasts: BroadcastStore {
    /// The devices that have no delivery yet, by broadcast.
    let left = AwaitableValue<[UUID: [String]]>([:])
    /// How many deliveries each step made.
    let steps = AwaitableValue<[Int]>([])
    /// After so many steps every step fails.
    let failAfter = AwaitableValue<(steps: Int, error: StoreError)?>(nil)
    private let outbox: MemoryOutbox?

    init(outbox: MemoryOutbox? = nil) {
        self.outbox = outbox
    }

    func begin(_ broadcast: Broadcast) throws(StoreError) {
        guard case .devices(let devices) = broadcast.target else { return }
        left.update { $0[broadcast.id] = devices }
    }

    func expandBroadcast(_ id: UUID, limit: Int) throws(StoreError) -> BroadcastStep? {
        if let failure = failAfter.value, steps.value.count >= failure.steps { throw failure.error }
        guard let devices = left.value[id] else { return nil }
        let batch = devices.prefix(limit)
        let isLast = batch.count == devices.count
        try outbox?.enqueue(batch.map { _ in delivery() })
        left.update { $0[id] = isLast ? nil : Array(devices.dropFirst(limit)) }
        steps.update { $0.append(batch.count) }
        return BroadcastStep(enqueued: batch.count, isLast: isLast)
    }

    func endBroadcast(_ id: UUID) throws(StoreError) {}

    func unfinishedBroadcasts() throws(StoreError) -> [UUID] { Array(left.value.keys) }
}
