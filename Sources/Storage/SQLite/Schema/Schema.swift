import Foundation
import GRDB
import PushModel

/// The tables of the store's file.
///
/// Times are REAL, in seconds since 1970-01-01 UTC. JSON has the type `TEXT`. The version of the tables is the file's `user_version`; versions up
/// to 6 kept it elsewhere and read as 0. See ``SchemaPlan`` for changes.
enum Schema {
    static let plan = SchemaPlan(version: 17, oldestReader: 17, upgrades: [17: []])

    /// Creates the tables in an empty file, upgrades those of an earlier version after a copy of the file, and refuses those that it cannot use.
    ///
    /// - Returns: the version before an upgrade; `nil` without one.
    /// - Throws: ``StoredValueError`` with code `newerSchema` or `olderSchema`, `DatabaseError`.
    @discardableResult
    static func create(in file: some DatabaseWriter, plan: SchemaPlan = plan) throws -> Int? {
        let former = try create(plan, of: [subscriptions, outbox, clients], in: file)
        // Also those that a later build knows and the build that made the file did not.
        let missing = try file.read { database in
            let known = try Int.fetchAll(database, sql: "SELECT channel FROM outbox_channel")
            return Set(DeliveryChannel.allCases.map(\.rawValue)).subtracting(known)
        }
        guard !missing.isEmpty else { return former }
        try file.write { database in
            for channel in missing {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO outbox_channel (channel, cursor, last_seq) VALUES (?, 0, 0)",
                    arguments: [channel])
            }
        }
        return former
    }

    /// Creates the tables of `statements` in an empty file, and upgrades those of an earlier version.
    ///
    /// - Returns, Throws: as ``create(in:plan:)``.
    static func create(_ plan: SchemaPlan, of statements: [String], in file: some DatabaseWriter) throws -> Int? {
        func steps(_ state: State) throws -> [String]? {
            try state.isEmpty ? statements : plan.statements(from: state.version, oldestReader: state.oldestReader)
        }
        let state = try file.read(State.init)
        guard try steps(state) != nil else { return nil }
        if !state.isEmpty, let pool = file as? DatabasePool { try backUp(pool, version: state.version) }
        try file.write { database in
            // Another process may have been first.
            guard let steps = try steps(State(database)) else { return }
            for sql in steps { try database.execute(sql: sql) }
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS store_version (oldest_reader INTEGER NOT NULL) STRICT;
                    DELETE FROM store_version;
                    INSERT INTO store_version (oldest_reader) VALUES (\(plan.oldestReader));
                    PRAGMA user_version = \(plan.version);
                    """)
        }
        return state.isEmpty ? nil : state.version
    }

    /// The tables of a file.
    private struct State {
        let version: Int
        let isEmpty: Bool
        let oldestReader: Int?

        init(_ database: Database) throws {
            version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            isEmpty = try version == 0 && Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
            oldestReader =
                try database.tableExists("store_version")
                ? Int.fetchOne(database, sql: "SELECT oldest_reader FROM store_version") : nil
        }
    }

    /// Returns the version of a file's tables, and the oldest version whose builds can use them if they name it; `nil` for an empty file.
    static func tables(of database: Database) throws -> (version: Int, oldestReader: Int?)? {
        let state = try State(database)
        return state.isEmpty ? nil : (state.version, state.oldestReader)
    }

    /// The name of the copy that an upgrade makes first.
    static func backupPath(of path: String, version: Int) -> String { "\(path).version-\(version)" }

    private static func backUp(_ pool: DatabasePool, version: Int) throws {
        let target = backupPath(of: pool.path, version: version)
        // Of an upgrade that was interrupted.
        try? FileManager.default.removeItem(atPath: target + ".new")
        let copy = try DatabaseQueue(path: target + ".new")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target + ".new")
        try pool.backup(to: copy)
        try copy.close()
        guard rename(target + ".new", target) == 0 else {
            throw StoredValueError(
                code: .cannotOpen, reason: "\(target) cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}
