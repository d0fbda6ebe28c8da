import Core
import Foundation
import PushModel

/// Reads rows of deliveries, and their notifications.
struct PostgreSQLDeliveryReader {
    private let accepted: AcceptedNotifications?
    private var notifications: [Int64: StoredNotification] = [:]
    private var rows = DeliveryRowReader()

    init(_ accepted: AcceptedNotifications? = nil) {
        self.accepted = accepted
    }

    /// ``DeliveryColumns/names``
    static func columns(of table: String) -> String {
        DeliveryColumns.names.split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            .map { $0 == "begun" ? "NULL AS begun" : "\(table).\($0)" }.joined(separator: ", ")
    }

    /// Reads the notifications of the rows, each once.
    mutating func readNotifications(of rows: [StoreRow], in transaction: any StoreTransaction) throws {
        let wanted = Set(rows.map { PostgreSQLRow($0).integer(2) }).subtracting(notifications.keys)
        guard !wanted.isEmpty else { return }
        try transaction.forEachRow(
            """
            SELECT seq, id, adapter, event_source, created_at, expires_at, options FROM notification
            WHERE seq = ANY (?::bigint[])
            """, [PostgreSQLArray(wanted)]
        ) { row in
            let row = PostgreSQLRow(row)
            notifications[row.integer(0)] = try StoredNotification(row, from: 1, accepted)
        }
    }

    mutating func delivery(_ row: PostgreSQLRow) throws -> Delivery {
        guard let notification = notifications[row.integer(2)] else {
            throw StoredValueError(code: .corrupt, reason: "a delivery has no notification")
        }
        return try rows.delivery(row, of: notification)
    }

    /// Reads deliveries with their state.
    mutating func deliveries(
        _ sql: String, _ arguments: [(any StoreArgument)?], in transaction: any StoreTransaction
    ) throws -> [Delivery] {
        let rows = try transaction.rows(sql, arguments)
        try readNotifications(of: rows, in: transaction)
        return try rows.map { row in
            let row = PostgreSQLRow(row)
            var delivery = try delivery(row)
            try row.readStanding(of: &delivery, from: DeliveryColumns.count)
            return delivery
        }
    }
}

/// Queries of past and present deliveries.
extension PostgreSQLOutbox {
    /// The number of the delivery that the waiting delivery `d` waits for: the begun one of its lane, or else the oldest.
    private static let blocker = """
        CASE WHEN d.due IS NULL THEN coalesce(
            (SELECT h.seq FROM delivery AS h WHERE h.lane = d.lane AND h.attempts > 0),
            (SELECT h.seq FROM delivery AS h WHERE h.lane = d.lane AND h.seq < d.seq ORDER BY h.seq LIMIT 1)
        ) END
        """

    /// Selects deliveries with their state. A new delivery has no state here, and its `due` is not its creation time.
    private static func select(
        live: String, ended: String, order: String = "", limit: Bool = false
    ) -> String {
        let tail = order + (limit ? " LIMIT ?" : "")
        return """
            SELECT * FROM (
                (SELECT \(PostgreSQLDeliveryReader.columns(of: "d")),
                    CASE WHEN d.worker IS NOT NULL THEN 'sending' WHEN d.attempts > 0 OR d.due > d.due_set_at THEN 'queued' END
                        AS state,
                    d.attempts, d.due, NULL::float8 AS ended_at, NULL AS service_id, d.reason, d.requests,
                    d.failures::text AS failures, \(blocker) AS waits_for
                FROM delivery AS d WHERE \(live) \(tail))
                UNION ALL
                (SELECT \(PostgreSQLDeliveryReader.columns(of: "d")),
                    d.state, d.attempts, NULL::float8, d.ended_at, d.service_id, d.reason, d.requests, d.failures::text, NULL::bigint
                FROM delivery_end AS d WHERE \(ended) \(tail))
            ) AS d \(tail)
            """
    }

    func deliveries(
        matching filter: DeliveryFilter, before number: Int64?, limit: Int
    ) throws(StoreError) -> ListPage<Delivery, Int64> {
        guard limit > 0 else { return ListPage(items: [], next: nil) }
        return try database.read { transaction in
            guard var search = try PostgreSQLDeliverySearch(filter, before: number, in: transaction) else {
                return ListPage(items: [], next: nil)
            }
            let end = try search.others.isEmpty ? nil : search.examine(in: transaction)
            var reader = PostgreSQLDeliveryReader()
            let items = try reader.deliveries(
                Self.select(live: search.live, ended: search.ended, order: "ORDER BY d.seq DESC", limit: true),
                search.arguments + [limit] + search.arguments + [limit, limit], in: transaction)
            return ListPage(items: items, next: items.count == limit ? items.last?.number.value : end)
        }
    }

    func delivery(_ number: Int64) throws(StoreError) -> Delivery? { try deliveries(numbered: [number]).first }

    /// Returns the deliveries with higher numbers, in the order of their numbers.
    func deliveries(after number: Int64, limit: Int) throws(StoreError) -> [Delivery] {
        try database.read { transaction in
            var reader = PostgreSQLDeliveryReader()
            let select = Self.select(live: "d.seq > ?", ended: "d.seq > ?", order: "ORDER BY d.seq", limit: true)
            return try reader.deliveries(select, [number, limit, number, limit, limit], in: transaction)
        }
    }

    func counts() throws(StoreError) -> [DeliveryState: Int] {
        try database.read { transaction in
            let row = try transaction.row("SELECT \(Self.sums) FROM delivery_count")
            guard let row else { return [:] }
            let states: [DeliveryState] = [.queued, .sending, .delivered, .previewed, .refused, .expired]
            let counts = states.enumerated().map { ($1, PostgreSQLRow(row).count(Int32($0))) }
            return Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 })
        }
    }
}

extension PostgreSQLOutbox {
    func counts(ofNotification id: UUID) throws(StoreError) -> [DeliveryState: Int] {
        try database.read { transaction in
            try transaction.countsOfStates(
                """
                WITH n AS MATERIALIZED (SELECT seq FROM notification WHERE id = ?), d AS (
                    SELECT CASE WHEN worker IS NOT NULL THEN 'sending' ELSE 'queued' END AS state
                    FROM delivery WHERE notification IN (SELECT seq FROM n)
                    UNION ALL SELECT state FROM delivery_end WHERE notification IN (SELECT seq FROM n)
                )
                SELECT state, count(*) AS number FROM d GROUP BY state
                """, [id.uuidString])
        }
    }
}

extension PostgreSQLOutbox: JournaledOutbox {
    func deliveries(numbered numbers: Set<Int64>) throws(StoreError) -> [Delivery] {
        let (array, condition) = (PostgreSQLArray(numbers), "d.seq = ANY (?::bigint[])")
        return try database.read { transaction in
            var reader = PostgreSQLDeliveryReader()
            return try reader.deliveries(
                Self.select(live: condition, ended: condition), [array, array], in: transaction)
        }
    }
}
