public import Core

public import struct Foundation.Date

/// Tells what becomes of deliveries, for `lamplighter deliveries --follow`.
public protocol DeliveryHistory: Sendable {
    /// What has become of deliveries since the store was opened, by this store, in the order in which it was committed.
    ///
    /// Costs what the changes cost that it returns, however many deliveries there are.
    ///
    /// - Parameters:
    ///   - after: the number of the change that is known last; `nil` for no change, only the last one's number.
    ///   - state: only changes to this state.
    ///   - limit: at most so many.
    /// - Returns: the changes, oldest first; `last`, the number to go on after; and `lost`, how many changes were dropped
    ///   from memory before they could be asked for. Deliveries that are forgotten by now are left out.
    /// - Throws: ``StoreError``.
    func deliveryChanges(
        after: Int?, state: DeliveryState?, limit: Int
    ) throws(StoreError) -> (changes: [DeliveryChange], last: Int, lost: Int)

    /// When the delivery that waits longest became due; `nil` when none is due.
    ///
    /// - Throws: ``StoreError``.
    func oldestDue() throws(StoreError) -> Date?

    /// Tells this run from others: each counts its changes from 1.
    var run: String { get }

    /// Rings with the number of the last change.
    var changeSignal: ChangeSignal { get }
}

/// A new delivery, or one whose state has changed.
public struct DeliveryChange: Sendable, Hashable {
    /// Its place among the changes since the store was opened, from 1.
    public let number: Int
    /// When it was committed; of one that ended, when it ended.
    public let time: Date
    /// The delivery with the state that it came into then.
    public let delivery: Delivery

    package init(number: Int, time: Date, delivery: Delivery) {
        (self.number, self.time, self.delivery) = (number, time, delivery)
    }
}
