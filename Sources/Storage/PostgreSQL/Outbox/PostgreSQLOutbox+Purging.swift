import Core
import Foundation
import PushModel
import Synchronization

/// Purging. Each day (UTC) has a partition for its ended deliveries, which is dropped as a whole.
extension PostgreSQLOutbox {
    private static let secondsOfDay = 86_400.0

    private static func partition(_ day: Int) -> String { "\"delivery_end_\(day)\"" }

    /// Creates the partitions for deliveries that ended at these times.
    func createPartitions(for times: [Date]) throws(StoreError) {
        let wanted = Set(times.map { Int(($0.timeIntervalSince1970 / Self.secondsOfDay).rounded(.down)) })
        for day in wanted.subtracting(days.withLock { $0 }) {
            // Unlike CREATE TABLE … PARTITION OF, attaching a table blocks no readers and writers.
            try database.write { transaction in
                let name = Self.partition(day)
                let isThere = "SELECT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(?))"
                guard try transaction.first(Bool.self, isThere, [name]) == false else { return }
                try transaction.run("CREATE TABLE IF NOT EXISTS \(name) (LIKE delivery_end INCLUDING ALL)")
                try transaction.run(
                    """
                    ALTER TABLE delivery_end ATTACH PARTITION \(name)
                    FOR VALUES FROM (\(Double(day) * Self.secondsOfDay)) TO (\(Double(day + 1) * Self.secondsOfDay))
                    """)
            }
            _ = days.withLock { $0.insert(day) }
        }
    }

    /// Drops the days that end before `date`, and then the oldest days while at least `keeping` deliveries remain.
    func purge(endedBefore date: Date, keeping: Int) throws(StoreError) -> Int {
        var kept = try counts().filter { $0.key.isEnd }.values.reduce(0, +)
        var forgotten = 0
        for day in try daysWithPartition() {
            let isOld = Double(day + 1) * Self.secondsOfDay <= date.timeIntervalSince1970
            guard isOld || kept > keeping else { break }
            let count = try isOld ? 0 : count(of: day)
            guard isOld || count > 0 && kept - count >= max(keeping, 0) else { break }
            let dropped = try drop(day)
            forgotten += dropped
            kept -= dropped
        }
        return forgotten
    }

    private func daysWithPartition() throws(StoreError) -> [Int] {
        try database.read { transaction in
            try transaction.all(
                String.self,
                """
                SELECT relname::text FROM pg_class
                WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname LIKE 'delivery\\_end\\_%'
                """
            ).compactMap { Int($0.dropFirst("delivery_end_".count)) }.sorted()
        }
    }

    private func count(of day: Int) throws(StoreError) -> Int {
        try database.slowly { try $0.first(Int.self, "SELECT count(*) FROM \(Self.partition(day))") ?? 0 }
    }

    /// Drops a day's partition, and deletes the notifications that only its deliveries referred to.
    ///
    /// - Returns: how many deliveries were in it.
    private func drop(_ day: Int) throws(StoreError) -> Int {
        let name = Self.partition(day)
        let isPending = try database.read { transaction in
            try transaction.first(
                Bool.self, "SELECT inhdetachpending FROM pg_inherits WHERE inhrelid = to_regclass(?)", [name])
        }
        // Detaching concurrently blocks no readers and writers. After a failure, the next purge continues here.
        if let isPending {
            try database.run(
                "ALTER TABLE delivery_end DETACH PARTITION \(name) \(isPending ? "FINALIZE" : "CONCURRENTLY")",
                isSlow: true)
        }
        _ = days.withLock { $0.remove(day) }
        return try database.slowly { transaction in
            var changes = OutboxChanges()
            var total = 0
            try transaction.forEachRow("SELECT state, count(*) FROM \(name) GROUP BY state", []) { row in
                let count: Int = try row.value(at: 1)
                changes.add(try row.choice("state"), -count)
                total += count
            }
            try transaction.run(
                """
                DELETE FROM notification USING (SELECT DISTINCT notification FROM \(name)) AS p
                WHERE seq = p.notification
                AND NOT EXISTS (SELECT FROM delivery AS d WHERE d.notification = notification.seq)
                AND NOT EXISTS (SELECT FROM delivery_end AS d WHERE d.notification = notification.seq)
                AND NOT EXISTS (SELECT FROM broadcast AS b WHERE b.notification = notification.seq)
                """)
            try transaction.run("DROP TABLE \(name)")
            try save(changes, in: transaction)
            return total
        }
    }
}
