public import Core

public import struct Foundation.Date

/// Reports changes of deliveries, for `lamplighter deliveries --follow`.
public protocol DeliveryHistory: Sendable {
    /// Returns the changes that this store has committed since it was opened, in the order of the commits.
    ///
    /// Takes time in proportion to the changes returned.
    ///
    /// - Parameters:
    ///   - after: the number of the last change that was read; `nil` returns no changes, only the number of the last one.
    ///   - state: only changes to this state.
    ///   - limit: at most so many.
    /// - Returns: the changes, oldest first; `last`, the number to go on after; and `lost`, how many changes were dropped
    ///   from memory before they could be read. Purged deliveries are left out.
    /// - Throws: ``StoreError``.
    func deliveryChanges(
        after: Int?, state: DeliveryState?, limit: Int
    ) throws(StoreError) -> (changes: [DeliveryChange], last: Int, lost: Int)

    /// Returns the time at which the delivery that waits longest became due; `nil` when none is due.
    ///
    /// - Throws: ``StoreError``.
    func oldestDue() throws(StoreError) -> Date?

    /// The id of this run; the numbers of changes restart at 1 in each run.
    var run: String { get }

    /// Signals the number of the last change.
    var changeSignal: ChangeSignal { get }
}

/// A new delivery, or one whose state has changed.
public struct DeliveryChange: Sendable, Hashable {
    /// Its position among the changes since the store was opened, from 1.
    public let number: Int
    /// The time of the commit; for a delivery that ended, the time of its end.
    public let time: Date
    /// The delivery, with its state after the change.
    public let delivery: Delivery

    package init(number: Int, time: Date, delivery: Delivery) {
        (self.number, self.time, self.delivery) = (number, time, delivery)
    }
}
