public import Foundation
import GRDB
public import PushModel

/// The part of `Outbox` that looks back.
extension SQLiteStore {
    public func deliveries(state: DeliveryState?, limit: Int) throws(StoreError) -> [Delivery] {
        guard limit > 0 else { return [] }
        return try read { database in
            let order = "ORDER BY created_at DESC, seq DESC LIMIT ?"
            if let state { return try database.deliveries(where: "state = ? \(order)", [state.rawValue, limit]) }
            return try database.deliveries(where: "true \(order)", [limit])
        }
    }

    public func counts() throws(StoreError) -> [DeliveryState: Int] {
        try read { database in
            let rows = try Row.fetchAll(
                database.statement("SELECT state, count(*) AS number FROM delivery GROUP BY state"))
            var counts: [DeliveryState: Int] = [:]
            for row in rows { counts[try row.choice("state")] = try row.value("number") as Int }
            return counts
        }
    }

    /// Forgets deliveries that ended before `date`, and notifications that have no delivery left.
    ///
    /// Works in several transactions, so that nobody who has something to write waits long. When one of them fails, what
    /// the earlier ones forgot stays forgotten.
    ///
    /// - Returns: how many deliveries were forgotten.
    /// - Throws: `StoreError`.
    public func purge(endedBefore date: Date) throws(StoreError) -> Int {
        let batch = 2000
        var total = 0
        while true {
            let count = try write { try $0.purge(endedBefore: date, limit: batch) }
            total += count
            if count < batch { return total }
        }
    }
}
