import Core
import Foundation
import GRDB
import PushModel

/// The part of `Outbox` that reads the history.
extension SQLiteOutbox {
    func deliveries(
        matching filter: DeliveryFilter, before number: Int64?, limit: Int
    ) throws(StoreError) -> ListPage<Delivery, Int64> {
        guard limit > 0 else { return ListPage(items: [], next: nil) }
        return try database.read { (database: Database) in
            try database.deliveries(matching: filter, before: number, limit: limit)
        }
    }

    func delivery(_ number: Int64) throws(StoreError) -> Delivery? { try deliveries(numbered: [number]).first }

    func cancelDeliveries(_ numbers: [Int64], reason: String, at date: Date) throws(StoreError) -> Int {
        try database.write { (database: Database) in
            var (changes, count) = (OutboxChanges(), 0)
            for number in numbers
            where try database.cancel(number, reason: reason, at: date, changes: &changes) { count += 1 }
            if count > 0 { try changes.save(in: database, journal) }
            return count
        }
    }

    func counts() throws(StoreError) -> [DeliveryState: Int] {
        try database.read { (database: Database) in
            let select = try RawStatement(
                database, "SELECT queued, sending, delivered, previewed, refused, expired FROM outbox")
            defer { select.reset() }
            guard try select.step() else { return [:] }
            let states: [DeliveryState] = [.queued, .sending, .delivered, .previewed, .refused, .expired]
            let counts = states.enumerated().map { ($1, select.count(Int32($0))) }
            return Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 })
        }
    }

    /// Among the deliveries that no worker has seen, searches no further than a claim does (`DeliveryClaim`).
    func oldestDeliveries() throws(StoreError) -> [OldestDelivery] {
        try database.read { (database: Database) in
            try database.rows(
                """
                SELECT o.channel, o.application_id, n.created_at FROM (
                    SELECT channel, application_id, min(seq) AS seq FROM (
                        SELECT d.channel, d.application_id, d.seq FROM delivery_progress AS p JOIN delivery AS d ON d.seq = p.seq
                        UNION ALL
                        SELECT d.channel, d.application_id, d.seq FROM outbox_channel AS c JOIN delivery AS d
                            ON d.seq > c.cursor AND d.seq <= min(c.cursor + 50000, c.last_seq) AND d.channel = c.channel AND d.begun = 0
                        WHERE c.cursor < c.last_seq
                    ) GROUP BY channel, application_id
                ) AS o JOIN delivery AS d ON d.seq = o.seq JOIN notification AS n ON n.seq = d.notification
                """, []
            ).compactMap(OldestDelivery.init)
        }
    }

    func counts(ofNotification id: UUID) throws(StoreError) -> [DeliveryState: Int] {
        try database.read { (database: Database) in
            let bytes = withUnsafeBytes(of: id.uuid) { Data($0) }
            return try database.countsOfStates(
                """
                SELECT CASE WHEN e.seq IS NOT NULL THEN e.state WHEN p.worker IS NOT NULL THEN 'sending' ELSE 'queued' END AS state,
                    count(*) AS number
                FROM notification AS n JOIN delivery AS d ON d.notification = n.seq
                LEFT JOIN delivery_progress AS p ON p.seq = d.seq LEFT JOIN delivery_end AS e ON e.seq = d.seq
                WHERE n.id = ? GROUP BY 1
                """, [bytes])
        }
    }

    /// Purges deliveries, and notifications without deliveries.
    ///
    /// Uses several transactions, so that other writers do not wait long. When one fails, the earlier ones stay committed.
    ///
    /// - Returns: the number of purged deliveries.
    /// - Throws: `StoreError`.
    func purge(endedBefore date: Date, keeping: Int) throws(StoreError) -> Int {
        let old = try purgeInBatches { try $0.purgeDeliveries(endedBefore: date, limit: $1) }
        let kept = try counts().filter { $0.key.isEnd }.values.reduce(0, +)
        var excess = max(kept - max(keeping, 0), 0)
        let more = try purgeInBatches { database, limit in
            let count = try database.purgeDeliveries(endedBefore: nil, limit: min(limit, excess))
            excess -= count
            return count
        }
        return old + more
    }

    private func purgeInBatches(_ batch: (Database, Int) throws -> Int) throws(StoreError) -> Int {
        try deleteInBatches { limit throws(StoreError) in
            try database.write { (database: Database) in try batch(database, limit) }
        }
    }
}
