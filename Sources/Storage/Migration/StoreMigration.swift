import Core
import Databases
import Foundation
public import PushModel

/// Copies a store from its SQLite file into an empty PostgreSQL database, which may be interrupted and run again.
///
/// The table `lamplighter_migration` of the target records the progress in the transactions that copy rows. Servers refuse the database until the
/// migration has ended and dropped that table. The file must not change meanwhile; at the end the migration flags it, and no store opens it any more.
public final class StoreMigration: Sendable {
    /// The progress in one table.
    public struct Progress: Sendable, Hashable {
        public enum Phase: String, Sendable, Hashable {
            case copying, comparing
        }

        public let phase: Phase
        /// The table's name.
        public let table: String
        /// The number of rows done.
        public let rows: Int
        /// The number of rows in the file.
        public let total: Int
    }

    /// The number of rows per transaction.
    static let pageSize = 2000

    let source: SQLiteDatabase
    let target: PostgreSQLDatabase
    let targetOutbox: PostgreSQLOutbox
    private let time: any TimeSource

    /// Opens the file and the database.
    ///
    /// - Throws: `StoreError`: one of them cannot be opened, the file does not exist, or the database is not empty and holds no migration
    ///   that has not ended.
    public convenience init(from folder: String, to address: PostgreSQLAddress) throws(StoreError) {
        try self.init(
            from: folder, to: PostgreSQLSessions(address, limit: 2), time: SystemTime())
    }

    init(from folder: String, to sessions: PostgreSQLSessions, time: any TimeSource) throws(StoreError) {
        self.time = time
        source = try Self.file(in: folder)
        target = try PostgreSQLDatabase(sessions, isMigration: true)
        targetOutbox = PostgreSQLOutbox(target, time: time)
        try begin()
    }

    /// Lets servers use the file again that a migration has copied. Nothing is copied back.
    ///
    /// - Returns: whether the file had been copied.
    /// - Throws: `StoreError` when the file does not exist or cannot be opened.
    public static func undo(in folder: String) throws(StoreError) -> Bool {
        try file(in: folder).removeMovedMark()
    }

    private static func file(in folder: String) throws(StoreError) -> SQLiteDatabase {
        let file = folder + "/" + SQLStore.fileName
        guard FileManager.default.fileExists(atPath: file) else {
            throw StoreError(
                .cannotOpen, location: file, reason: "the file does not exist",
                advice: "pass --project, or --data with the folder of the store")
        }
        return try SQLiteDatabase(folder: folder, busyTimeout: .seconds(5), pragmas: [])
    }

    /// Copies the remaining rows of each table, and compares the table.
    ///
    /// - Parameter progress: called after every page.
    /// - Returns: the number of rows in each table.
    /// - Throws: `StoreError`. The copied rows stay, and the next run continues after them.
    public func run(progress: (Progress) -> Void) throws(StoreError) -> [(table: String, rows: Int)] {
        var counts: [(table: String, rows: Int)] = []
        for table in MigratedTable.all {
            try copy(table, progress)
            counts.append((table.name, try compare(table, progress)))
        }
        try copyBroadcasts()
        try copyDeliveries(progress)
        counts.append(("delivery", try compareDeliveries(progress)))
        try end()
        return counts
    }

    // MARK: How far it has come

    private func begin() throws(StoreError) {
        try target.write { transaction in
            if try transaction.first(Bool.self, "SELECT to_regclass('lamplighter_migration') IS NOT NULL") == true {
                return
            }
            for table in MigratedTable.all.map(\.name) + ["delivery", "delivery_end", "broadcast", "notification"]
            where try transaction.first(Bool.self, "SELECT EXISTS (SELECT FROM \(table))") == true {
                throw StoredValueError(
                    code: .other, reason: "expected an empty database, but the table \(table) has rows",
                    advice: "use another database, or drop and recreate this one")
            }
            let now = try target.now(in: transaction)
            guard try transaction.row("SELECT 1 FROM poll_lease WHERE ends_at > ?", [now]) == nil else {
                throw StoredValueError(
                    code: .locked, reason: "a server uses this database",
                    advice: "stop the server, or use another database")
            }
            try transaction.run(
                "CREATE TABLE lamplighter_migration (name TEXT PRIMARY KEY, last_key TEXT NOT NULL, copied BIGINT NOT NULL)"
            )
        }
    }

    /// Returns the key of the last copied row and the number of copied rows.
    func mark(of table: String) throws(StoreError) -> (key: [StoreValue], copied: Int)? {
        try target.read { transaction in
            let row = try transaction.row("SELECT last_key, copied FROM lamplighter_migration WHERE name = ?", [table])
            return try row.map { row in
                let key = try JSONDecoder().decode([MarkValue].self, from: Data((try row.value(at: 0) as String).utf8))
                return (key.map(\.value), try row.value(at: 1))
            }
        }
    }

    func setMark(of table: String, key: [StoreValue], copied: Int, in transaction: any StoreTransaction) throws {
        let text = String(decoding: try JSONEncoder().encode(key.map(MarkValue.init)), as: UTF8.self)
        try transaction.run(
            """
            INSERT INTO lamplighter_migration (name, last_key, copied) VALUES (?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET last_key = excluded.last_key, copied = excluded.copied
            """, [table, text, copied])
    }

    /// A part of a key.
    private enum MarkValue: Codable {
        case integer(Int64)
        case text(String)

        init(_ value: StoreValue) {
            if case .integer(let integer) = value {
                self = .integer(integer)
            } else {
                self = .text(String(stored: value) ?? "")
            }
        }

        var value: StoreValue {
            switch self {
            case .integer(let integer): .integer(integer)
            case .text(let text): .text(text)
            }
        }
    }

    private func end() throws(StoreError) {
        let endedEver = try source.read { (database: any StoreTransaction) in
            try database.first(Int.self, "SELECT ended_ever - delivered - previewed - refused - expired FROM outbox")
                ?? 0
        }
        try target.write { transaction in
            var changes = OutboxChanges()
            changes.ended = endedEver
            try targetOutbox.save(changes, in: transaction)
            for table in MigratedTable.all.map(\.name) + ["delivery", "delivery_end", "notification"] {
                try transaction.run("ANALYZE \(table)")
            }
            try transaction.run("DROP TABLE lamplighter_migration")
            // Before the commit: a server must never find both usable.
            try source.markMoved(to: target.location, at: time.now)
        }
    }

    func difference(in table: String, _ source: (rows: Int, sum: Int), _ target: (rows: Int, sum: Int)) -> StoreError {
        let found =
            source.rows == target.rows
            ? "\(source.rows) rows in both, but with different values"
            : "\(source.rows) rows in the file, \(target.rows) in the database"
        return StoreError(
            .other, location: self.target.location, reason: "\(table): \(found)",
            advice: "the file may have changed during the migration; start again with an empty database")
    }
}
