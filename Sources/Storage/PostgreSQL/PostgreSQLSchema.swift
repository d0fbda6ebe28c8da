import PushModel

/// The tables in PostgreSQL: those of the outbox, and the others, which ``Schema`` declares and explains.
///
/// Strings are compared by their bytes, as SQLite does: `COLLATE "C"`. The version of the tables is in `lamplighter_schema`; see ``SchemaPlan`` for
/// changes.
enum PostgreSQLSchema {
    static let plan = SchemaPlan(version: 10, oldestReader: 10, upgrades: [10: []])

    /// Creates the tables in an empty database, upgrades those of an earlier version, and refuses those that it cannot use. Of several servers one
    /// does so at a time.
    ///
    /// - Returns: the version before an upgrade; `nil` without one.
    /// - Throws: ``StoredValueError`` with code `newerSchema` or `olderSchema`, `SQLStatementError`.
    static func create(in transaction: any StoreTransaction, plan: SchemaPlan = plan) throws -> Int? {
        try transaction.run("CREATE TABLE IF NOT EXISTS lamplighter_schema (version BIGINT NOT NULL)")
        let found = try versions(in: transaction)
        let planned =
            try found.map { try plan.statements(from: $0.version, oldestReader: $0.oldestReader) } ?? statements
        guard let steps = planned else { return nil }
        for statement in steps { try transaction.run(statement) }
        try transaction.run("ALTER TABLE lamplighter_schema ADD COLUMN IF NOT EXISTS oldest_reader BIGINT")
        try transaction.run("DELETE FROM lamplighter_schema")
        try transaction.run("INSERT INTO lamplighter_schema VALUES (?, ?)", [plan.version, plan.oldestReader])
        return found?.version
    }

    /// Returns the version of a database's tables, and the oldest version whose builds can use them if they name it; `nil` without tables.
    static func tables(in transaction: any StoreTransaction) throws -> (version: Int, oldestReader: Int?)? {
        let exists = try transaction.first(Bool.self, "SELECT to_regclass('lamplighter_schema') IS NOT NULL")
        return exists == true ? try versions(in: transaction) : nil
    }

    private static func versions(in transaction: any StoreTransaction) throws -> (version: Int, oldestReader: Int?)? {
        guard let version = try transaction.first(Int.self, "SELECT version FROM lamplighter_schema") else {
            return nil
        }
        // Before version 10 the table had one column.
        let oldest =
            version >= 10
            ? try transaction.first(Int.self, "SELECT oldest_reader FROM lamplighter_schema") : nil
        return (version, oldest)
    }

    /// Parts of SQLite's declarations, and their replacements in PostgreSQL's.
    private static let words = [
        (" STRICT, WITHOUT ROWID", ""), (" STRICT", ""), ("TEXT", "TEXT COLLATE \"C\""), ("REAL", "DOUBLE PRECISION"),
        ("BLOB", "BYTEA"), ("INTEGER PRIMARY KEY", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
        ("has_checked_user INTEGER NOT NULL DEFAULT 0", "has_checked_user BOOLEAN NOT NULL DEFAULT false"),
        ("is_edge INTEGER", "is_edge BOOLEAN"), (" INTEGER", " BIGINT"),
    ]

    /// The statements that make all tables.
    private static var statements: [String] {
        let sql = words.reduce(Schema.subscriptions + Schema.clients) { $0.replacing($1.0, with: $1.1) }
        return sql.split(separator: ";").map(String.init) + outbox
    }
}
