import Core

public import struct Foundation.Date
public import struct Foundation.UUID

/// Holds every notification from the moment `notify*` returns until its end is known.
///
/// From ``enqueue(_:)`` on a delivery is delivered, refused with a reason, or expired: never lost. A claim is a lease, so the deliveries of a worker
/// that dies are returned when the lease runs out; the repeat carries the same id.
///
/// Deliveries to one device (an application on a device, or a phone number) are handed out in the order in which they were
/// enqueued, each when the one before has ended; a retry holds back the later ones to its device and nothing else.
///
/// Synchronous, transactional and callable from any thread, like ``SubscriptionStore``.
public protocol Outbox: Sendable {
    /// Commits the deliveries, all or none. From its return they outlive this process, and after ``flush()`` a power
    /// failure too.
    ///
    /// - Throws: ``StoreError``.
    func enqueue(_ deliveries: [Delivery]) throws(StoreError)

    /// Returns when everything enqueued so far is on the disk. A script that notifies thousands of users waits for the
    /// disk once, at its end, and not thousands of times.
    ///
    /// - Throws: ``StoreError``.
    func flush() throws(StoreError)

    /// Leases deliveries to the worker: those whose next attempt is due, those whose lease has ended, and those that were never
    /// attempted. The last are claimed in the order in which they were enqueued, independent of the clock.
    ///
    /// The clock is the store's, which several servers may share. A worker counts its lease from before its request.
    ///
    /// Targets are looked up again: the deliveries have the current token, alias and options of the device, or the current gateway
    /// of the phone number. A registered device or a phone number that is no longer subscribed returns a ``Delivery/withdrawal``.
    /// Deliveries to a device that is not registered any more keep the old token.
    ///
    /// The state becomes ``DeliveryState/sending``, and the number of attempts increases by one. Requests and failed attempts are
    /// not returned.
    ///
    /// - Parameters:
    ///   - limit: how many at most of each channel.
    ///   - channels: only of these.
    /// - Throws: ``StoreError``.
    func claim(
        limit: Int, of channels: Set<DeliveryChannel>, lease: Duration, worker: String
    ) throws(StoreError) -> [Delivery]

    /// Records how attempts ended, all in one transaction.
    ///
    /// A report about a delivery that the worker no longer holds under the claim of the report is dropped: another worker has claimed it since.
    ///
    /// Attempts that failed are kept with their delivery (``Delivery/failures``).
    ///
    /// - Returns: how many other deliveries had waited for these to end, and are due now.
    /// - Throws: ``StoreError``.
    @discardableResult
    func record(_ reports: [DeliveryReport], worker: String) throws(StoreError) -> Int

    /// Says that a worker is alive, and releases everything that dead workers hold: those that last said so longer ago than `silence`.
    ///
    /// - Returns: `nil` for a store that only one server uses.
    /// - Throws: ``StoreError``.
    func beat(worker: String, silence: Duration) throws(StoreError) -> OutboxHeartbeat?

    /// Releases everything that `worker` holds, and forgets its heartbeat; for a worker that stops, or that restarts under its old name.
    ///
    /// - Returns: the number of deliveries that were released.
    /// - Throws: ``StoreError``.
    func release(worker: String) throws(StoreError) -> Int

    /// Returns the time until the next delivery of these channels is due (its next attempt or its lease's end); zero when one is, `nil` when none
    /// waits.
    ///
    /// - Throws: ``StoreError``.
    func timeToNext(of channels: Set<DeliveryChannel>) throws(StoreError) -> Duration?

    /// Returns the numbers of waiting and of ended deliveries, at a cost that does not depend on them.
    ///
    /// - Throws: ``StoreError``.
    func depth() throws(StoreError) -> OutboxDepth

    /// Has `wake` called when another server that shares the store has put deliveries there or given some back, until ``close()``.
    /// It is a hint, which may be missing, come twice or come for nothing.
    func listen(_ wake: @escaping @Sendable () -> Void)

    /// Ends the listening that ``listen(_:)`` began.
    func close()

    /// Lists deliveries, newest first.
    ///
    /// A state, a user, a device or a notification is served by an index. Any second condition is applied to ``longestSearch``
    /// deliveries for each page at most.
    ///
    /// - Parameter number: only deliveries with lower numbers (``ListPage/next`` of the previous page); `nil` for the newest.
    /// - Throws: ``StoreError``.
    func deliveries(
        matching filter: DeliveryFilter, before number: Int64?, limit: Int
    ) throws(StoreError) -> ListPage<Delivery, Int64>

    /// Returns the delivery with a number (``Delivery/number``), or `nil`.
    ///
    /// - Throws: ``StoreError``.
    func delivery(_ number: Int64) throws(StoreError) -> Delivery?

    /// Ends queued deliveries as refused, all in one transaction.
    ///
    /// - Returns: the number of these deliveries that were queued. The others are unchanged.
    /// - Throws: ``StoreError``.
    func cancelDeliveries(_ numbers: [Int64], reason: String, at date: Date) throws(StoreError) -> Int

    /// Returns the number of deliveries in each state. States without any may be missing.
    ///
    /// - Throws: ``StoreError``.
    func counts() throws(StoreError) -> [DeliveryState: Int]

    /// Returns the number of deliveries of a notification in each state. States without any may be missing.
    ///
    /// - Throws: ``StoreError``.
    func counts(ofNotification id: UUID) throws(StoreError) -> [DeliveryState: Int]

    /// Purges deliveries that ended before `date`, and the oldest of those that ended after it if there are more than
    /// `keeping`.
    ///
    /// - Returns: the number of purged deliveries.
    /// - Throws: ``StoreError``.
    func purge(endedBefore date: Date, keeping: Int) throws(StoreError) -> Int
}

extension Outbox {
    /// Does nothing: there is no other server.
    public func listen(_ wake: @escaping @Sendable () -> Void) {}

    public func close() {}

    /// The newest deliveries, in any state when `state` is `nil`.
    ///
    /// - Throws: ``StoreError``.
    public func deliveries(state: DeliveryState?, limit: Int) throws(StoreError) -> [Delivery] {
        try deliveries(matching: DeliveryFilter(state: state), before: nil, limit: limit).items
    }

    /// Takes deliveries of any channel.
    ///
    /// - Throws: ``StoreError``.
    public func claim(limit: Int, lease: Duration, worker: String) throws(StoreError) -> [Delivery] {
        try claim(limit: limit, of: .all, lease: lease, worker: worker)
    }
}

/// The numbers of open and ended deliveries.
public struct OutboxDepth: Sendable, Hashable {
    /// The number of deliveries that have not ended.
    public let waiting: Int
    /// The number of all deliveries that have ended, purged ones included.
    public let ended: Int

    public init(waiting: Int, ended: Int) {
        self.waiting = waiting
        self.ended = ended
    }
}

/// The result of a worker's heartbeat.
public struct OutboxHeartbeat: Sendable, Hashable {
    /// False if there was no earlier heartbeat of this worker, or others have released what it held.
    public let wasKnown: Bool
    /// The workers that were found dead, and the numbers of deliveries that they held.
    public let dead: [String: Int]

    package init(wasKnown: Bool, dead: [String: Int]) {
        (self.wasKnown, self.dead) = (wasKnown, dead)
    }
}
