import Core
import Foundation
import GRDB
import PushModel

extension Database {
    func deliveries(
        matching filter: DeliveryFilter, before number: Int64?, limit: Int
    ) throws -> ListPage<Delivery, Int64> {
        guard let search = try DeliverySearch(filter, before: number, in: self) else {
            return ListPage(items: [], next: nil)
        }
        let condition = search.others.map { " AND \($0)" }.joined()
        let examined = search.others.isEmpty ? limit : longestSearch
        let select = try RawStatement(
            self,
            """
            \(Self.deliveries) WHERE d.seq IN (\(search.candidates(examined)))\(condition) ORDER BY d.seq DESC LIMIT \(limit)
            """)
        defer { select.reset() }
        for (index, text) in search.texts.enumerated() { try select.bind(Int32(index + 1), text) }
        let items = try readDeliveries(select)
        if items.count == limit { return ListPage(items: items, next: items.last?.number.value) }
        guard !search.others.isEmpty else { return ListPage(items: items, next: nil) }
        let end = try RawStatement(
            self, "SELECT count(*), min(seq) FROM (\(search.candidates(examined)))")
        defer { end.reset() }
        for (index, text) in search.texts.prefix(search.indexedTexts).enumerated() {
            try end.bind(Int32(index + 1), text)
        }
        guard try end.step(), end.count(0) == examined else { return ListPage(items: items, next: nil) }
        return ListPage(items: items, next: end.integer(1))
    }

    /// Returns the deliveries with higher numbers, in the order of their numbers.
    func deliveries(after number: Int64, limit: Int) throws -> [Delivery] {
        let select = try RawStatement(self, "\(Self.deliveries) WHERE d.seq > ? ORDER BY d.seq LIMIT ?")
        defer { select.reset() }
        try select.bind(1, number)
        try select.bind(2, limit)
        return try readDeliveries(select)
    }

    private func readDeliveries(_ select: RawStatement) throws -> [Delivery] {
        var reader = try DeliveryReader(self)
        var deliveries: [Delivery] = []
        while try select.step() {
            var delivery = try reader.delivery(select)
            try select.readStanding(of: &delivery, from: DeliveryColumns.count)
            deliveries.append(delivery)
        }
        return deliveries
    }

    /// A delivery by the store's number, with its state.
    static let deliveryByNumber = "\(deliveries) WHERE d.seq = ?"

    /// Deliveries, each with its state.
    private static let deliveries: String = {
        let columns = DeliveryColumns.names.split(separator: ",")
            .map { "d." + $0.trimmingCharacters(in: .whitespacesAndNewlines) }.joined(separator: ", ")
        return """
            SELECT \(columns),
                CASE WHEN e.seq IS NOT NULL THEN e.state WHEN p.worker IS NOT NULL THEN 'sending'
                    WHEN p.seq IS NOT NULL THEN 'queued' END,
                coalesce(e.attempts, p.attempts), p.due, e.ended_at, e.service_id, coalesce(e.reason, p.reason),
                coalesce(e.requests, p.requests), coalesce(e.failures, p.failures),
                CASE WHEN p.due IS NULL THEN (
                    SELECT min(h.seq) FROM delivery_progress AS h WHERE h.lane = p.lane AND h.seq < p.seq
                ) END
            FROM delivery AS d LEFT JOIN delivery_progress AS p USING (seq) LEFT JOIN delivery_end AS e USING (seq)
            """
    }()
}

/// The search for deliveries that match a filter: candidates by one index, and conditions that each candidate must meet.
private struct DeliverySearch {
    /// The arguments ?1, ?2, …
    private(set) var texts: [String] = []
    /// The number of arguments that the candidates need.
    private(set) var indexedTexts = 0
    private(set) var others: [String] = []
    /// Queries of numbers, without order and limit.
    private var sources: [String] = []
    /// The numbers of the candidates.
    private var range = ""

    /// - Returns: `nil` when nothing can match.
    init?(_ filter: DeliveryFilter, before number: Int64?, in database: Database) throws {
        if let number { range += " AND seq < \(number)" }
        if let since = filter.since {
            guard let first = try database.firstDelivery(since: since) else { return nil }
            range += " AND seq >= \(first)"
            others.append(
                """
                (SELECT created_at FROM notification AS n WHERE n.seq = d.notification) >= \(since.timeIntervalSince1970)
                """)
        }
        if let until = filter.until {
            others.append(
                "(SELECT created_at FROM notification AS n WHERE n.seq = d.notification) < \(until.timeIntervalSince1970)"
            )
        }
        if let id = filter.notificationID {
            let rows = try database.notifications(id)
            guard !rows.isEmpty else { return nil }
            sources = rows.map { "SELECT seq FROM delivery WHERE notification = \($0)" }
        }
        for (column, value) in [
            ("user_id", filter.userID), ("device_id", filter.deviceID), ("application_id", filter.applicationID),
        ] {
            guard let value else { continue }
            texts.append(value)
            if sources.isEmpty, column != "application_id" {
                indexedTexts = 1
                sources = [
                    """
                    SELECT seq FROM delivery INDEXED BY delivery_by_\(column.dropLast(3)) WHERE \(column) = ?\(texts.count)
                    """
                ]
            } else {
                others.append("d.\(column) = ?\(texts.count)")
            }
        }
        if let state = filter.state {
            if sources.isEmpty { sources = Self.sources(of: state) } else { others.append(Self.condition(state)) }
        }
        if sources.isEmpty { sources = ["SELECT seq FROM delivery WHERE true"] }
    }

    /// A query of the newest candidates' numbers.
    func candidates(_ limit: Int) -> String {
        let all = sources.map { "SELECT * FROM (\($0)\(range) ORDER BY seq DESC LIMIT \(limit))" }
        return "SELECT seq FROM (\(all.joined(separator: " UNION ALL "))) ORDER BY seq DESC LIMIT \(limit)"
    }

    private static func sources(of state: DeliveryState) -> [String] {
        switch state {
        case .queued:
            [
                """
                SELECT seq FROM (
                    SELECT n.seq FROM delivery AS n JOIN outbox_channel AS c USING (channel)
                    WHERE n.begun = 0 AND n.seq > c.cursor
                    AND n.seq > (SELECT min(cursor) FROM outbox_channel WHERE cursor < last_seq)
                ) WHERE true
                """, "SELECT seq FROM delivery_progress WHERE worker IS NULL",
            ]
        case .sending: ["SELECT seq FROM delivery_progress WHERE worker IS NOT NULL"]
        case .delivered: ["SELECT seq FROM delivery_end WHERE state = 'delivered'"]
        case .previewed, .refused, .expired:
            [
                """
                SELECT seq FROM delivery_end INDEXED BY delivery_end_undelivered
                WHERE state = '\(state.rawValue)' AND state <> 'delivered'
                """
            ]
        }
    }

    private static func condition(_ state: DeliveryState) -> String {
        switch state {
        case .queued: "e.seq IS NULL AND p.worker IS NULL"
        case .sending: "e.seq IS NULL AND p.worker IS NOT NULL"
        case .delivered, .previewed, .refused, .expired: "e.state = '\(state.rawValue)'"
        }
    }
}

extension Database {
    /// The number of the first delivery of the first notification since a time, or `nil`. Notifications that several threads
    /// created within a second may be numbered in another order.
    fileprivate func firstDelivery(since date: Date) throws -> Int64? {
        let select = try RawStatement(
            self,
            """
            SELECT seq FROM delivery WHERE notification >= (
                SELECT seq FROM notification WHERE created_at >= ? ORDER BY created_at LIMIT 1
            ) ORDER BY notification, seq LIMIT 1
            """)
        defer { select.reset() }
        try select.bind(1, date.addingTimeInterval(-1))
        return try select.step() ? select.integer(0) : nil
    }

    fileprivate func notifications(_ id: UUID) throws -> [Int64] {
        let select = try RawStatement(self, "SELECT seq FROM notification WHERE id = ?")
        defer { select.reset() }
        try select.bind(1, id)
        var rows: [Int64] = []
        while try select.step() { rows.append(select.integer(0)) }
        return rows
    }

    /// Ends a queued delivery as refused.
    ///
    /// - Returns: whether it was queued.
    func cancel(_ number: Int64, reason: String, at date: Date, changes: inout OutboxChanges) throws -> Bool {
        let select = try RawStatement(
            self,
            """
            SELECT p.seq, p.lane, p.attempts, p.requests, p.failures
            FROM delivery AS d LEFT JOIN delivery_progress AS p USING (seq) LEFT JOIN delivery_end AS e USING (seq)
            WHERE d.seq = ? AND e.seq IS NULL AND p.worker IS NULL
            """)
        defer { select.reset() }
        try select.bind(1, number)
        guard try select.step() else { return false }
        let (isBegun, lane, attempts) = (!select.isNull(0), select.integer(1), select.count(2))
        let (requests, failures) = (select.optionalText(3), select.optionalText(4))
        select.reset()
        try DeliveryEndWriter(self).insert(
            number, state: .refused, attempts: attempts, endedAt: date, serviceID: nil, reason: reason,
            requests: requests, failures: failures)
        if isBegun {
            try execute(sql: "DELETE FROM delivery_progress WHERE seq = ?", arguments: [number])
            try execute(
                sql: """
                    UPDATE delivery_progress SET due = 0
                    WHERE due IS NULL AND seq = (SELECT min(seq) FROM delivery_progress WHERE lane = ?)
                    """, arguments: [lane])
        } else {
            // Claims skip it.
            try execute(sql: "UPDATE delivery SET begun = 1 WHERE seq = ?", arguments: [number])
        }
        changes.move(number, from: .queued, .refused)
        return true
    }
}

extension SQLiteOutbox: JournaledOutbox {
    func deliveries(numbered numbers: Set<Int64>) throws(StoreError) -> [Delivery] {
        try database.read { (database: Database) in
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
