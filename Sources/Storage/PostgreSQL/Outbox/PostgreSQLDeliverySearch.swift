import Core
import Foundation
import PushModel

/// The search for deliveries that match a filter: candidates by one index, and conditions that each candidate must meet.
struct PostgreSQLDeliverySearch {
    /// Conditions that an index serves, on `delivery` and on `delivery_end`.
    private var (indexedLive, indexedEnded) = ("true", "true")
    private var range = ""
    private var indexedArguments: [(any StoreArgument)?] = []
    private var otherArguments: [(any StoreArgument)?] = []
    private(set) var others: [(live: String, ended: String)] = []

    /// - Returns: `nil` when nothing can match.
    init?(_ filter: DeliveryFilter, before number: Int64?, in transaction: any StoreTransaction) throws {
        if let number { range += " AND d.seq < \(number)" }
        if let since = filter.since {
            guard let first = try Self.firstDelivery(since: since, in: transaction) else { return nil }
            range += " AND d.seq >= \(first)"
            let condition = "(SELECT n.created_at FROM notification AS n WHERE n.seq = d.notification) >= ?"
            others.append((condition, condition))
            otherArguments.append(since.timeIntervalSince1970)
        }
        if let until = filter.until {
            let condition = "(SELECT n.created_at FROM notification AS n WHERE n.seq = d.notification) < ?"
            others.append((condition, condition))
            otherArguments.append(until.timeIntervalSince1970)
        }
        var isIndexed = false
        if let id = filter.notificationID {
            let rows = try transaction.all(
                Int64.self, "SELECT seq FROM notification WHERE id = ?", [id.uuidString])
            guard !rows.isEmpty else { return nil }
            isIndexed = true
            indexedLive = "d.notification IN (\(rows.map(String.init).joined(separator: ", ")))"
            indexedEnded = indexedLive
        }
        for (column, value) in [
            ("user_id", filter.userID), ("device_id", filter.deviceID), ("application_id", filter.applicationID),
        ] {
            guard let value else { continue }
            let condition = "d.\(column) = ?"
            if !isIndexed, column != "application_id" {
                isIndexed = true
                (indexedLive, indexedEnded, indexedArguments) = (condition, condition, [value])
            } else {
                others.append((condition, condition))
                otherArguments.append(value)
            }
        }
        if let state = filter.state {
            let condition = Self.condition(state)
            if isIndexed { others.append(condition) } else { (indexedLive, indexedEnded) = condition }
        }
    }

    var live: String { ([indexedLive + range] + others.map(\.live)).joined(separator: " AND ") }
    var ended: String { ([indexedEnded + range] + others.map(\.ended)).joined(separator: " AND ") }
    var arguments: [(any StoreArgument)?] { indexedArguments + otherArguments }

    /// Limits the search to the newest ``longestSearch`` candidates.
    ///
    /// - Returns: the number of the last of them; `nil` when there are no more.
    mutating func examine(in transaction: any StoreTransaction) throws -> Int64? {
        let tail = "ORDER BY d.seq DESC LIMIT \(longestSearch)"
        let row = try transaction.row(
            """
            SELECT count(*) AS number, min(seq) AS last FROM (
                SELECT seq FROM (
                    (SELECT d.seq FROM delivery AS d WHERE \(indexedLive)\(range) \(tail))
                    UNION ALL (SELECT d.seq FROM delivery_end AS d WHERE \(indexedEnded)\(range) \(tail))
                ) AS d \(tail)
            ) AS examined
            """, indexedArguments + indexedArguments)
        guard let row, try row.value("number") == longestSearch else { return nil }
        let last: Int64 = try row.value("last")
        range += " AND d.seq >= \(last)"
        return last
    }

    private static func condition(_ state: DeliveryState) -> (live: String, ended: String) {
        switch state {
        case .queued: ("d.worker IS NULL", "false")
        case .sending: ("d.worker IS NOT NULL", "false")
        case .delivered: ("false", "d.state = 'delivered'")
        // The second condition makes PostgreSQL use the partial index.
        case .previewed, .refused, .expired:
            ("false", "d.state = '\(state.rawValue)' AND d.state <> 'delivered'")
        }
    }

    /// The number of the first delivery of the first notification since a time, or `nil`. Notifications that several threads
    /// created within a second may be numbered in another order.
    private static func firstDelivery(since date: Date, in transaction: any StoreTransaction) throws -> Int64? {
        let first = try transaction.first(
            Int64.self, "SELECT seq FROM notification WHERE created_at >= ? ORDER BY created_at LIMIT 1",
            [date.timeIntervalSince1970 - 1])
        guard let first else { return nil }
        return try ["delivery", "delivery_end"].compactMap { table in
            try transaction.first(
                Int64.self, "SELECT seq FROM \(table) WHERE notification >= ? ORDER BY notification, seq LIMIT 1",
                [first])
        }.min()
    }
}
