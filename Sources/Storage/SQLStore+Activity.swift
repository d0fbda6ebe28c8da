import Core
public import PushModel

public import struct Foundation.Date

extension SQLStore: ActivityStore {
    /// The columns that are added up, and those of which the largest counts.
    private static let sums = ["calls", "failed_calls", "errors", "delivered", "previewed", "refused", "expired"]
    private static let maxima = ["waiting", "oldest_delivery", "poll_lateness"]

    public func record(_ activity: Activity, of server: String, at date: Date) throws(StoreError) {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let columns = Self.sums + Self.maxima
        let changes =
            Self.sums.map { "\($0) = activity.\($0) + excluded.\($0)" }
            + Self.maxima.map {
                "\($0) = CASE WHEN excluded.\($0) > activity.\($0) THEN excluded.\($0) ELSE activity.\($0) END"
            }
        try database.write { database in
            for resolution in ActivityResolution.allCases {
                try database.run(
                    """
                    INSERT INTO activity (step, time, server, \(columns.joined(separator: ", ")))
                    VALUES (?, ?, ?, \(marks(columns.count)))
                    ON CONFLICT (step, time, server) DO UPDATE SET \(changes.joined(separator: ", "))
                    """,
                    [resolution.step, seconds - seconds % resolution.step, server] + activity.values)
                try database.run(
                    "DELETE FROM activity WHERE step = ? AND time < ?", [resolution.step, seconds - resolution.life])
            }
        }
    }

    public func activity(
        _ resolution: ActivityResolution, since date: Date, interval: Int
    ) throws(StoreError) -> [(start: Date, activity: Activity)] {
        // An integer for SQLite and for PostgreSQL, whose sums are numeric.
        let sums = Self.sums.map { "CAST(sum(\($0)) AS BIGINT) AS \($0)" }
        let maxima = Self.maxima.map { "max(\($0)) AS \($0)" }
        return try database.read { database in
            try database.rows(
                """
                SELECT time - time % \(interval) AS start, \((sums + maxima).joined(separator: ", ")) FROM activity
                WHERE step = ? AND time >= ? GROUP BY 1 ORDER BY 1
                """, [resolution.step, Int(date.timeIntervalSince1970)]
            ).map { row in
                var activity = Activity()
                (activity.calls, activity.failedCalls) = (try row.value("calls"), try row.value("failed_calls"))
                (activity.errors, activity.delivered) = (try row.value("errors"), try row.value("delivered"))
                (activity.previewed, activity.refused) = (try row.value("previewed"), try row.value("refused"))
                (activity.expired, activity.waiting) = (try row.value("expired"), try row.value("waiting"))
                activity.oldestDelivery = try row.value("oldest_delivery")
                activity.pollLateness = try row.value("poll_lateness")
                return (Date(timeIntervalSince1970: Double(try row.value("start") as Int)), activity)
            }
        }
    }
}

extension Activity {
    /// In the order of the columns.
    fileprivate var values: [(any StoreArgument)?] {
        [calls, failedCalls, errors, delivered, previewed, refused, expired, waiting, oldestDelivery, pollLateness]
    }
}
