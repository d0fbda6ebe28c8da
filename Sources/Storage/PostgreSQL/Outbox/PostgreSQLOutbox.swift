import Core
import Databases
import Foundation
import PushModel
import Synchronization

/// The outbox in PostgreSQL, which several servers may share.
///
/// Transactions run concurrently. Workers find deliveries by state and not by a cursor over their numbers: PostgreSQL assigns numbers
/// before transactions commit, so a lower number may appear later.
final class PostgreSQLOutbox: Outbox {
    let database: PostgreSQLDatabase
    /// The changes that this process has made since the store was opened.
    let journal: DeliveryJournal
    private let time: any TimeSource
    let claims = Mutex(ClaimState())
    let contents = AcceptedNotifications()
    /// The ids of the notifications accepted since the last flush, by their numbers. `flush()` checks that all are stored.
    private let accepted = Mutex<[Int64: UUID]>([:])
    /// The channel for notifying other servers of new deliveries; `nil` before ``listen(_:)``.
    private let channel = Mutex<PostgreSQLChannel?>(nil)
    /// The days for which a partition is known to exist.
    let days = Mutex<Set<Int>>([])

    /// - Parameter time: the server's clock, for dates in arguments and results. Leases and due times use the database's clock.
    init(_ database: PostgreSQLDatabase, time: any TimeSource) {
        (self.database, self.time) = (database, time)
        journal = DeliveryJournal(time: time)
    }

    func now(in transaction: any StoreTransaction) throws -> Double {
        try database.now(in: transaction) ?? time.now.timeIntervalSince1970
    }

    /// Returns how far the database's clock, which shows `now`, is ahead of the server's, in seconds.
    func lead(at now: Double) -> Double { now - time.now.timeIntervalSince1970 }

    var uptime: Duration { time.uptime }

    /// Runs `body` in a transaction that also writes the changed counts, and then adds the changes to the journal.
    func change<Value>(
        ahead: Bool = false, _ body: (any StoreTransaction, inout OutboxChanges) throws -> Value
    ) throws(StoreError) -> Value {
        let (value, spans) = try database.concurrently(ahead: ahead) { transaction in
            var changes = OutboxChanges()
            let value = try body(transaction, &changes)
            try save(changes, in: transaction)
            return (value, changes.spans.joined)
        }
        journal.append(spans)
        if spans.contains(where: { $0.event.state == .queued }) { announce() }
        return value
    }

    func save(_ changes: OutboxChanges, in transaction: any StoreTransaction) throws {
        let counts = changes.counts
        guard counts.contains(where: { $0.change != 0 }) else { return }
        try transaction.run(
            """
            INSERT INTO delivery_count (\(counts.map(\.column).joined(separator: ", "))) VALUES (\(marks(counts.count)))
            """, counts.map(\.change))
    }

    func enqueue(_ deliveries: [Delivery]) throws(StoreError) {
        guard !deliveries.isEmpty else { return }
        contents.add(deliveries)
        try createPartitions(for: deliveries.compactMap(\.endedAt))
        accept(
            try change(ahead: true) { transaction, changes in
                try insert(deliveries, in: transaction, &changes)
            })
    }

    /// Remembers notifications that are committed but may not be on disk.
    func accept(_ notifications: [Int64: UUID]) {
        accepted.withLock { $0.merge(notifications) { $1 } }
    }

    /// Removes a deleted notification from those that `flush()` checks.
    func forget(_ notification: Int64) {
        accepted.withLock { _ = $0.removeValue(forKey: notification) }
    }

    func listen(_ wake: @escaping @Sendable () -> Void) {
        let new = database.sessions.channel("lamplighter", onNews: wake)
        let former = channel.withLock { channel in
            defer { channel = new }
            return channel
        }
        former?.close()
        new?.open()
    }

    func close() {
        channel.withLock { $0 }?.close()
    }

    private func announce() {
        channel.withLock { $0 }?.announce()
    }

    func flush() throws(StoreError) {
        let accepted = accepted.withLock { $0 }
        // The log is sequential: a synchronous commit also flushes all earlier commits.
        try database.run("SELECT pg_logical_emit_message(true, 'lamplighter', '')")
        guard !accepted.isEmpty else { return }
        let found = try database.read { transaction in
            var (numbers, ids) = (PostgreSQLArray(), PostgreSQLArray())
            for (number, id) in accepted {
                numbers.append(number)
                ids.append(id)
            }
            return try transaction.first(
                Int.self,
                """
                SELECT count(*) FROM unnest(?::bigint[], ?::uuid[]) AS a (seq, id) JOIN notification AS n USING (seq, id)
                """, [numbers, ids]) ?? 0
        }
        self.accepted.withLock { all in for number in accepted.keys { all[number] = nil } }
        // After a crash, the database may have restarted without its last commits.
        guard found == accepted.count else {
            throw StoreError(
                .other, location: database.location,
                reason: "the database has lost \(accepted.count - found) accepted notifications",
                advice: "the database crashed or failed over; check its log, and send the notifications again")
        }
    }

    func beat(worker: String, silence: Duration) throws(StoreError) -> OutboxHeartbeat? {
        try change { transaction, changes in
            let now = try now(in: transaction)
            let known = try transaction.run("UPDATE server_heartbeat SET seen_at = ? WHERE name = ?", [now, worker])
            if known == 0 { try transaction.run("INSERT INTO server_heartbeat VALUES (?, ?)", [worker, now]) }
            // Of several servers that find one dead, the first deletes it; the others wait for the lock and find nothing.
            let dead = try transaction.all(
                String.self, "DELETE FROM server_heartbeat WHERE name <> ? AND seen_at < ? RETURNING name",
                [worker, now - silence / .seconds(1)])
            var released: [String: Int] = [:]
            for name in dead { released[name] = try release(name, at: now, in: transaction, &changes) }
            return OutboxHeartbeat(wasKnown: known > 0, dead: released)
        }
    }

    func release(worker: String) throws(StoreError) -> Int {
        try change { transaction, changes in
            try transaction.run("DELETE FROM server_heartbeat WHERE name = ?", [worker])
            return try release(worker, at: try now(in: transaction), in: transaction, &changes)
        }
    }

    private func release(
        _ worker: String, at now: Double, in transaction: any StoreTransaction, _ changes: inout OutboxChanges
    ) throws -> Int {
        let released = try transaction.all(
            Int64.self,
            "UPDATE delivery SET due = ?, due_set_at = ?, worker = NULL WHERE worker = ? AND attempts > 0 RETURNING seq",
            [now, now, worker])
        for number in released.sorted() { changes.move(number, from: .sending, .given) }
        return released.count
    }

    func oldestDeliveries() throws(StoreError) -> [OldestDelivery] {
        try database.read { transaction in
            // Numbers are assigned in the order of time.
            try transaction.rows(
                """
                SELECT o.channel, o.application_id, n.created_at FROM (
                    SELECT channel, application_id, min(seq) AS seq FROM delivery GROUP BY channel, application_id
                ) AS o JOIN delivery AS d ON d.seq = o.seq JOIN notification AS n ON n.seq = d.notification
                """, []
            ).compactMap(OldestDelivery.init)
        }
    }

    func timeToNext(of channels: Set<DeliveryChannel>) throws(StoreError) -> Duration? {
        try database.concurrently { transaction in
            var next: Double?
            for channel in channels {
                let due = try transaction.first(
                    Double.self,
                    "SELECT due FROM delivery WHERE channel = ? AND due IS NOT NULL ORDER BY due LIMIT 1",
                    [channel.rawValue])
                if let due { next = min(next ?? due, due) }
            }
            guard let next else { return nil }
            return .seconds(max(next - (try now(in: transaction)), 0))
        }
    }

    func depth() throws(StoreError) -> OutboxDepth {
        try database.concurrently { transaction in
            let row = try transaction.row("SELECT \(Self.sums), count(*) AS rows FROM delivery_count")
            guard let row = row.map(PostgreSQLRow.init) else { return OutboxDepth(waiting: 0, ended: 0) }
            // Folding the rows into one keeps the table small.
            if row.count(7) > 1 {
                try transaction.run(
                    """
                    WITH gone AS (DELETE FROM delivery_count RETURNING *)
                    INSERT INTO delivery_count SELECT \(Self.sums) FROM gone HAVING count(*) > 0
                    """)
            }
            return OutboxDepth(waiting: row.count(0) + row.count(1), ended: row.count(6))
        }
    }

    /// The columns of `delivery_count`, in their order.
    static let sums = OutboxChanges().counts.map { "coalesce(sum(\($0.column)), 0)::bigint AS \($0.column)" }
        .joined(separator: ", ")
}

/// A row that PostgreSQL returned.
struct PostgreSQLRow: ColumnReader {
    let values: [StoreValue]

    init(_ row: StoreRow) { values = row.values }

    func isNull(_ column: Int32) -> Bool { values[Int(column)] == .null }

    func integer(_ column: Int32) -> Int64 { Int64(stored: values[Int(column)]) ?? 0 }

    func real(_ column: Int32) -> Double { Double(stored: values[Int(column)]) ?? 0 }

    func optionalText(_ column: Int32) -> String? { String(stored: values[Int(column)]) }

    func id(_ column: Int32) throws -> UUID {
        guard let id = UUID(uuidString: text(column)) else {
            throw StoredValueError(code: .corrupt, reason: "a column of ids holds none")
        }
        return id
    }
}
