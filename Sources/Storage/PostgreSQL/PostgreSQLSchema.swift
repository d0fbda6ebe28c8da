import PushModel

/// The tables in PostgreSQL: those of the outbox, and the others, which ``Schema`` declares and explains.
///
/// Strings are compared by their bytes, as SQLite does: `COLLATE "C"`. Nothing is released, so there are no migrations: a change of the tables raises
/// ``version``, and tables of earlier builds are refused.
enum PostgreSQLSchema {
    private static let version = 9

    /// Creates the tables in an empty database, and refuses one whose tables are of another version. Of several servers one does so at a time.
    ///
    /// - Throws: ``StoredValueError`` with code `newerSchema` or `olderSchema`, `SQLStatementError`.
    static func create(in transaction: any StoreTransaction) throws {
        try transaction.run("CREATE TABLE IF NOT EXISTS lamplighter_schema (version BIGINT NOT NULL)")
        if let found = try transaction.first(Int.self, "SELECT version FROM lamplighter_schema") {
            guard found <= version else {
                throw StoredValueError(
                    code: .newerSchema, reason: "the tables have version \(found), expected version \(version)")
            }
            guard found == version else {
                throw StoredValueError(
                    code: .olderSchema, reason: "the tables have version \(found), expected version \(version)")
            }
            return
        }
        for statement in statements { try transaction.run(statement) }
        try transaction.run("INSERT INTO lamplighter_schema VALUES (?)", [version])
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
