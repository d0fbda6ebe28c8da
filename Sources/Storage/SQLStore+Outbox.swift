public import Core
public import PushModel

public import struct Foundation.Date
public import struct Foundation.UUID

/// Deliveries are the database's own.
extension SQLStore: Outbox {
    public func enqueue(_ deliveries: [Delivery]) throws(StoreError) { try outbox.enqueue(deliveries) }

    public func flush() throws(StoreError) { try outbox.flush() }

    public func claim(
        limit: Int, of channels: Set<DeliveryChannel>, lease: Duration, worker: String
    ) throws(StoreError) -> [Delivery] {
        try outbox.claim(limit: limit, of: channels, lease: lease, worker: worker)
    }

    @discardableResult
    public func record(_ reports: [DeliveryReport], worker: String) throws(StoreError) -> Int {
        try outbox.record(reports, worker: worker)
    }

    public func release(worker: String) throws(StoreError) -> Int { try outbox.release(worker: worker) }

    public func timeToNext(of channels: Set<DeliveryChannel>) throws(StoreError) -> Duration? {
        try outbox.timeToNext(of: channels)
    }

    public func depth() throws(StoreError) -> OutboxDepth { try outbox.depth() }

    public func listen(_ wake: @escaping @Sendable () -> Void) { outbox.listen(wake) }

    public func close() { outbox.close() }

    public func deliveries(
        matching filter: DeliveryFilter, before number: Int64?, limit: Int
    ) throws(StoreError) -> ListPage<Delivery, Int64> {
        try outbox.deliveries(matching: filter, before: number, limit: limit)
    }

    public func delivery(_ number: Int64) throws(StoreError) -> Delivery? { try outbox.delivery(number) }

    public func cancelDeliveries(_ numbers: [Int64], reason: String, at date: Date) throws(StoreError) -> Int {
        try outbox.cancelDeliveries(numbers, reason: reason, at: date)
    }

    public func counts() throws(StoreError) -> [DeliveryState: Int] { try outbox.counts() }

    public func counts(ofNotification id: UUID) throws(StoreError) -> [DeliveryState: Int] {
        try outbox.counts(ofNotification: id)
    }

    public func purge(endedBefore date: Date, keeping: Int) throws(StoreError) -> Int {
        try outbox.purge(endedBefore: date, keeping: keeping)
    }
}

extension SQLStore: BroadcastStore {
    public func begin(_ broadcast: Broadcast) throws(StoreError) { try outbox.begin(broadcast) }

    public func expandBroadcast(_ id: UUID, limit: Int) throws(StoreError) -> BroadcastStep? {
        try outbox.expandBroadcast(id, limit: limit)
    }

    public func endBroadcast(_ id: UUID) throws(StoreError) { try outbox.endBroadcast(id) }

    public func unfinishedBroadcasts() throws(StoreError) -> [UUID] { try outbox.unfinishedBroadcasts() }
}

extension SQLStore: DeliveryHistory {
    public func oldestDue() throws(StoreError) -> Date? { try outbox.oldestDue() }

    public func deliveryChanges(
        after: Int?, state: DeliveryState?, limit: Int
    ) throws(StoreError) -> (changes: [DeliveryChange], last: Int, lost: Int) {
        try outbox.deliveryChanges(after: after, state: state, limit: limit)
    }

    public var run: String { outbox.run }
    public var changeSignal: ChangeSignal { outbox.changeSignal }
}
