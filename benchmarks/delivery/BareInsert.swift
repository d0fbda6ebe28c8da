import Core
import Foundation
import GRDBSQLite
import PushModel

/// The same rows by SQLite's own interface alone: one prepared statement, everything to be bound made beforehand, one
/// transaction, the same file system and pragmas.
enum BareInsert {
    /// Inserts the rows of the table `delivery` into a table like it.
    static func measure(_ deliveries: [Delivery], in folder: String) -> DeliveryWorkbench.Cost {
        var connection: OpaquePointer?
        precondition(sqlite3_open(folder + "/bare.sqlite", &connection) == SQLITE_OK)
        defer { sqlite3_close(connection) }
        let run = { (sql: String) in precondition(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK, sql) }
        run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
        run(
            """
            CREATE TABLE delivery (
                seq INTEGER PRIMARY KEY, id BLOB NOT NULL, notification INTEGER NOT NULL, channel INTEGER NOT NULL,
                begun INTEGER NOT NULL, user_id TEXT, device_id TEXT, application_id TEXT, alias TEXT, tag TEXT,
                token TEXT, phone_number TEXT, gateway_id TEXT, subscription_options TEXT
            ) STRICT
            """)
        let rows = deliveries.enumerated().map { index, delivery in Row(index + 1, delivery) }
        return DeliveryWorkbench.cost {
            run("BEGIN IMMEDIATE")
            var statement: OpaquePointer?
            sqlite3_prepare_v2(
                connection, "INSERT INTO delivery VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1, &statement,
                nil)
            for row in rows { row.insert(statement) }
            sqlite3_finalize(statement)
            run("COMMIT")
        }
    }

    /// Everything about a row as SQLite takes it, in memory that stays where it is.
    private struct Row {
        let number: Int64
        let id: UnsafeMutableRawPointer
        let texts: [(column: Int32, start: UnsafeMutablePointer<CChar>, count: Int32)]

        init(_ number: Int, _ delivery: Delivery) {
            self.number = Int64(number)
            let id = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
            withUnsafeBytes(of: delivery.id.uuid) {
                UnsafeMutableRawBufferPointer(start: id, count: 16).copyMemory(from: $0)
            }
            self.id = id
            guard let to = delivery.target.subscription else { preconditionFailure("these are subscriptions") }
            texts = [
                (6, to.userID), (7, to.deviceID), (8, to.applicationID), (9, to.alias), (11, to.token.value),
                (14, to.options.text),
            ].map { ($0, Self.copy($1), Int32($1.utf8.count)) }
        }

        private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
            guard let copy = strdup(text) else { preconditionFailure("out of memory") }
            return copy
        }

        func insert(_ statement: OpaquePointer?) {
            sqlite3_bind_int64(statement, 1, number)
            sqlite3_bind_blob(statement, 2, id, 16, nil)
            sqlite3_bind_int64(statement, 3, 1)
            sqlite3_bind_int64(statement, 4, 1)
            sqlite3_bind_int64(statement, 5, 0)
            for text in texts { sqlite3_bind_text(statement, text.column, text.start, text.count, nil) }
            precondition(sqlite3_step(statement) == SQLITE_DONE)
            sqlite3_reset(statement)
        }
    }
}
