public import Foundation
import GRDB
public import PushModel

/// A new delivery, or one whose state has changed.
public struct DeliveryChange: Sendable, Hashable {
    /// Its place among the changes since the store was opened, from 1.
    public let number: Int
    /// When it was committed; of one that ended, when it ended.
    public let time: Date
    /// The delivery with the state that it came into then.
    public let delivery: Delivery
}

extension SQLiteStore {
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
    /// - Throws: `StoreError`.
    public func deliveryChanges(
        after: Int?, state: DeliveryState?, limit: Int
    ) throws(StoreError) -> (changes: [DeliveryChange], last: Int, lost: Int) {
        let (entries, last, lost) = journal.entries(after: after, to: state, limit: limit)
        guard !entries.isEmpty else { return ([], last, lost) }
        let changes = try read { database in
            let select = try RawStatement(database, Database.deliveryByNumber)
            var reader = try DeliveryReader(database)
            return try entries.compactMap { entry -> DeliveryChange? in
                try select.bind(1, entry.delivery)
                defer { select.reset() }
                guard try select.step() else { return nil }
                var delivery = try reader.delivery(select)
                try select.readStanding(of: &delivery, from: DeliveryColumns.count)
                delivery.turnBack(to: entry.event)
                return DeliveryChange(
                    number: entry.number, time: delivery.time(of: entry), delivery: delivery)
            }
        }
        return (changes, last, lost)
    }
}

extension Delivery {
    /// The row may have gone on since: takes away what came later.
    fileprivate mutating func turnBack(to event: DeliveryJournal.Event) {
        state = event.state
        guard !event.state.isEnd else { return }
        endedAt = nil
        serviceID = nil
        if event != .postponed {
            reason = nil
            requests = []
        }
        if event == .added { attempts = 0 }
    }

    fileprivate func time(of entry: DeliveryJournal.Entry) -> Date {
        switch entry.event {
        case .added: createdAt
        case .given, .taken, .postponed: entry.time
        case .delivered, .refused, .expired: endedAt ?? entry.time
        }
    }
}
