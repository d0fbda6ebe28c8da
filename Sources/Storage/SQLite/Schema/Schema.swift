import GRDB
import PushModel

/// The tables of the store's file.
///
/// Times are REAL, in seconds since 1970-01-01 UTC. JSON has the type `TEXT`. Nothing is released, so there are no migrations: a change of the tables
/// raises ``version``, and files of earlier builds are refused.
enum Schema {
    /// The version of the tables, kept in the file's `user_version`. Versions up to 6 kept it elsewhere and read as 0.
    private static let version = 16

    /// Creates the tables in an empty file, and refuses a file whose tables are of another version.
    ///
    /// - Throws: ``StoredValueError`` with code `newerSchema` or `olderSchema`, `DatabaseError`.
    static func create(in file: some DatabaseWriter) throws {
        try create(version: version, of: [subscriptions, outbox, clients], in: file)
        // Also those that a later build knows and the build that made the file did not.
        let missing = try file.read { database in
            let known = try Int.fetchAll(database, sql: "SELECT channel FROM outbox_channel")
            return Set(DeliveryChannel.allCases.map(\.rawValue)).subtracting(known)
        }
        guard !missing.isEmpty else { return }
        try file.write { database in
            for channel in missing {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO outbox_channel VALUES (?, 0, 0)", arguments: [channel])
            }
        }
    }

    /// Creates the tables of `statements` in an empty file, and refuses a file whose tables are of another version.
    ///
    /// - Throws: as ``create(in:)``.
    static func create(version: Int, of statements: [String], in file: some DatabaseWriter) throws {
        guard try file.read({ try isEmpty($0, version: version) }) else { return }
        try file.write { database in
            // Another process may have been first.
            guard try isEmpty(database, version: version) else { return }
            for sql in statements { try database.execute(sql: sql) }
            try database.execute(sql: "PRAGMA user_version = \(version)")
        }
    }

    /// - Returns: whether the tables are still to be created.
    private static func isEmpty(_ database: Database, version: Int) throws -> Bool {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if found == version { return false }
        guard found < version else {
            throw StoredValueError(code: .newerSchema, reason: "the file was written by a later Lamplighter")
        }
        guard found == 0, try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0 else {
            throw StoredValueError(
                code: .olderSchema,
                reason: "the file was written by an earlier build of Lamplighter, whose tables differ")
        }
        return true
    }
}
