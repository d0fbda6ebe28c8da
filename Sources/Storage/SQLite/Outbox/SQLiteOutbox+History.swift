import Foundation
import GRDB
import PushModel

extension SQLiteOutbox: DeliveryHistory {
    var run: String { journal.run }
    var changeBell: NewsBell { journal.bell }

    func deliveryChanges(
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
