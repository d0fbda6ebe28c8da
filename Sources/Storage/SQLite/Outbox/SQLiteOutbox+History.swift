import GRDB
import PushModel

extension SQLiteOutbox: JournaledOutbox {
    func deliveries(numbered numbers: Set<Int64>) throws(StoreError) -> [Delivery] {
        try read { database in
            let select = try RawStatement(database, Database.deliveryByNumber)
            var reader = try DeliveryReader(database)
            return try numbers.compactMap { number -> Delivery? in
                try select.bind(1, number)
                defer { select.reset() }
                guard try select.step() else { return nil }
                var delivery = try reader.delivery(select)
                try select.readStanding(of: &delivery, from: DeliveryColumns.count)
                return delivery
            }
        }
    }
}
