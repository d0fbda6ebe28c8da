public import Foundation
import GRDB
public import PushModel

extension SQLiteStore: Outbox {
    public func enqueue(_ deliveries: [Delivery]) throws(StoreError) {
        guard !deliveries.isEmpty else { return }
        try writeAhead { database in
            var written: Set<UUID> = []
            for delivery in deliveries {
                if written.insert(delivery.notificationID).inserted {
                    try database.insertNotification(delivery.notificationID, options: delivery.options)
                }
                try database.insert(delivery)
            }
        }
    }

    public func flush() throws(StoreError) {
        // What a transaction with full synchronisation writes comes after all that was written before, and takes it along.
        try write { try $0.execute(sql: "UPDATE flush_mark SET number = number + 1") }
    }

    public func claim(
        limit: Int, now: Date, leaseEnd: Date, worker: String
    ) throws(StoreError) -> [Delivery] {
        guard limit > 0 else { return [] }
        // Both statements mean the same rows: the transaction holds the write lock before the first one looks.
        let due = """
            FROM delivery INDEXED BY delivery_waiting
            WHERE state IN ('pending', 'claimed') AND due <= ? ORDER BY due, created_at, seq LIMIT ?
            """
        return try write { database in
            var claimed = try database.deliveries(
                where: "seq IN (SELECT seq \(due)) ORDER BY due, created_at, seq", [now.timeIntervalSince1970, limit])
            guard !claimed.isEmpty else { return [] }
            try database.run(
                """
                UPDATE delivery SET state = 'claimed', attempts = attempts + 1, due = ?, worker = ?
                WHERE seq IN (SELECT seq \(due))
                """, [leaseEnd.timeIntervalSince1970, worker, now.timeIntervalSince1970, limit])
            for index in claimed.indices {
                claimed[index].state = .claimed
                claimed[index].attempts += 1
                claimed[index].due = leaseEnd
            }
            return claimed
        }
    }

    public func record(_ reports: [DeliveryReport], worker: String) throws(StoreError) {
        guard !reports.isEmpty else { return }
        try write { database in
            for report in reports { try database.record(report, worker: worker) }
        }
    }

    public func release(worker: String) throws(StoreError) -> Int {
        try write { database in
            // Due again since they were made, which keeps their place in the order.
            try database.run(
                """
                UPDATE delivery INDEXED BY delivery_waiting SET state = 'pending', due = created_at, worker = NULL
                WHERE state IN ('pending', 'claimed') AND worker = ?
                """, [worker])
        }
    }

    public func nextDue() throws(StoreError) -> Date? {
        try read { database in
            let due = try Double.fetchOne(
                database.statement(
                    "SELECT min(due) FROM delivery INDEXED BY delivery_waiting WHERE state IN ('pending', 'claimed')"))
            return due.map(Date.init(timeIntervalSince1970:))
        }
    }
}
