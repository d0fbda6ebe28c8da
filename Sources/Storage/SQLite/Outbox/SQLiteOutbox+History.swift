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
                return DeliveryChange(entry, of: delivery)
            }
        }
        return (changes, last, lost)
    }
}
