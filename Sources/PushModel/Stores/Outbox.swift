public import struct Foundation.Date
public import struct Foundation.UUID

/// Holds every notification from the moment `notify*` returns until its end is known.
///
/// From ``enqueue(_:)`` on a delivery is delivered, refused with a reason, or expired: never lost. A claim is a lease, so
/// a worker that dies gives its deliveries back when the lease runs out; the repeat carries the same id.
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

    /// Takes up to `limit` deliveries that are due at `now`, oldest first, for the worker alone until `leaseEnd`: pending
    /// ones whose next attempt is due, and claimed ones whose lease has run out.
    ///
    /// Their state becomes ``DeliveryState/claimed`` and their attempts count one more.
    ///
    /// - Throws: ``StoreError``.
    func claim(limit: Int, now: Date, leaseEnd: Date, worker: String) throws(StoreError) -> [Delivery]

    /// Records how attempts ended, all in one transaction.
    ///
    /// A report about a delivery whose claim the worker no longer holds is dropped: somebody else owns it now.
    ///
    /// - Throws: ``StoreError``.
    func record(_ reports: [DeliveryReport], worker: String) throws(StoreError)

    /// Gives back everything that `worker` holds; for a worker that starts again under its old name.
    ///
    /// - Returns: how many deliveries were given back.
    /// - Throws: ``StoreError``.
    func release(worker: String) throws(StoreError) -> Int

    /// When the next delivery is due (a pending one's next attempt or a claimed one's lease end), or `nil` when none
    /// waits.
    ///
    /// - Throws: ``StoreError``.
    func nextDue() throws(StoreError) -> Date?

    /// Deliveries, newest first.
    ///
    /// - Parameters:
    ///   - state: only those in this state.
    ///   - limit: at most so many.
    /// - Throws: ``StoreError``.
    func deliveries(state: DeliveryState?, limit: Int) throws(StoreError) -> [Delivery]

    /// How many deliveries are in each state. States without any may be missing.
    ///
    /// - Throws: ``StoreError``.
    func counts() throws(StoreError) -> [DeliveryState: Int]

    /// Forgets deliveries that ended before `date`.
    ///
    /// - Returns: how many were forgotten.
    /// - Throws: ``StoreError``.
    func purge(endedBefore date: Date) throws(StoreError) -> Int
}

/// How one attempt at a delivery ended.
public struct DeliveryReport: Sendable, Hashable {
    public enum Ending: Sendable, Hashable {
        /// The service took it.
        case delivered
        /// The service refused it for good.
        case refused(reason: String)
        /// Its time to live ran out before a service took it.
        case expired
        /// To be tried again.
        case retry(at: Date, reason: String)
    }

    public let id: UUID
    public let ending: Ending
    /// When the attempt ended.
    public let date: Date
    /// What was sent, service by service; empty when nothing could be sent.
    public let requests: [PushRequest]

    public init(id: UUID, ending: Ending, date: Date, requests: [PushRequest]) {
        self.id = id
        self.ending = ending
        self.date = date
        self.requests = requests
    }
}
