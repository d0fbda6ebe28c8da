import Core
import Foundation
import GRDB
import PushModel

/// Finds the rows of notifications, or makes them, while deliveries are written; and counts what refers to them.
struct NotificationRows {
    private let database: Database
    private var rows: [NotificationKey: Int64] = [:]
    private var added: [Int64: Int] = [:]
    /// The last row and how many refer to it, beside `added`: most often the next delivery is of the same notification.
    private var last: (key: NotificationKey, row: Int64, count: Int)?

    init(_ database: Database) {
        self.database = database
    }

    /// The number of the row that a delivery is to refer to.
    mutating func add(_ delivery: Delivery) throws -> Int64 {
        if let last, last.key.fits(delivery) {
            self.last?.count += 1
            return last.row
        }
        let key = NotificationKey(delivery)
        flushLast()
        let row = try rows[key] ?? known(key) ?? insert(key, delivery.content)
        rows[key] = row
        last = (key, row, 1)
        return row
    }

    /// Writes how many refer to each.
    mutating func save() throws {
        flushLast()
        let update = try RawStatement(database, "UPDATE notification SET deliveries = deliveries + ? WHERE seq = ?")
        for (row, count) in added {
            try update.bind(1, count)
            try update.bind(2, row)
            try update.run()
        }
        added = [:]
    }

    private mutating func flushLast() {
        if let last { added[last.row, default: 0] += last.count }
        last = nil
    }

    private func known(_ key: NotificationKey) throws -> Int64? {
        let select = try RawStatement(
            database,
            """
            SELECT seq FROM notification
            WHERE id = ? AND created_at = ? AND expires_at = ? AND adapter IS ? AND event_source IS ?
            """)
        try bind(key, to: select, dates: 2, source: 4)
        defer { select.reset() }
        return try select.step() ? select.integer(0) : nil
    }

    private func insert(_ key: NotificationKey, _ content: NotificationContent) throws -> Int64 {
        let insert = try RawStatement(
            database,
            """
            INSERT INTO notification (id, adapter, event_source, created_at, expires_at, deliveries, options)
            VALUES (?, ?, ?, ?, ?, 0, ?)
            """)
        try bind(key, to: insert, dates: 4, source: 2)
        let options = try content.source ?? content.options.storedText()
        try insert.bind(6, options)
        try insert.run()
        return database.lastInsertedRowID
    }

    private func bind(_ key: NotificationKey, to statement: RawStatement, dates: Int32, source: Int32) throws {
        try statement.bind(1, key.id)
        try statement.bind(dates, key.createdAt)
        try statement.bind(dates + 1, key.expiresAt)
        try statement.bind(source, key.eventSource?.adapter)
        try statement.bind(source + 1, key.eventSource?.name)
    }
}

extension NotificationKey {
    /// Returns whether a delivery belongs to this key, without the cost of building its key.
    fileprivate func fits(_ delivery: Delivery) -> Bool {
        id == delivery.notificationID && createdAt == delivery.createdAt && expiresAt == delivery.expiresAt
            && eventSource == delivery.target.eventSource
    }
}
