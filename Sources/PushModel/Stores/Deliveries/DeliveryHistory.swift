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

    /// Returns the oldest delivery that has not ended, for each channel and application that has any: being sent, waiting for its next attempt, or
    /// behind another.
    ///
    /// - Throws: ``StoreError``.
    func oldestDeliveries() throws(StoreError) -> [OldestDelivery]

    /// The id of this run; the numbers of changes restart at 1 in each run.
    var run: String { get }

    /// Signals the number of the last change.
    var changeSignal: ChangeSignal { get }
}

/// The oldest delivery of a channel and an application that has not ended.
public struct OldestDelivery: Sendable, Hashable {
    public let channel: DeliveryChannel
    /// `nil` for phone numbers without an application.
    public let applicationID: String?
    /// The creation date of its notification.
    public let created: Date

    package init(channel: DeliveryChannel, applicationID: String?, created: Date) {
        (self.channel, self.applicationID, self.created) = (channel, applicationID, created)
    }
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
