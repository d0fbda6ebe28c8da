import Core

extension SQLStatementError {
    /// Whether a prepared statement failed because the session dropped it or the columns of its result changed.
    static func isStale(_ failure: SQLStatementError) -> Bool { ["26000", "0A000"].contains(failure.sqlState) }
}

/// The statements that a connection keeps prepared, by their text. The user of the connection uses them, nobody else.
final class StatementCache<Statement> {
    /// A statement's text, byte by byte: Swift's strings are equal where databases see two texts (`é` as one character or as two).
    private struct Key: Hashable {
        let sql: String

        static func == (left: Key, right: Key) -> Bool { left.sql.utf8.elementsEqual(right.sql.utf8) }

        func hash(into hasher: inout Hasher) {
            var sql = sql
            sql.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Statements with values in their text would otherwise fill the memory.
    private var kept = BoundedTable<Key, Statement>(capacity: 32)

    /// Takes a statement out.
    func take(_ sql: String) -> Statement? { kept.removeValue(forKey: Key(sql: sql)) }

    /// Keeps a statement.
    ///
    /// - Returns: the one that has not been used for longest, when there are too many.
    @discardableResult
    func give(_ statement: Statement, of sql: String) -> Statement? { kept.insert(statement, forKey: Key(sql: sql)) }

    func removeAll() { kept = BoundedTable(capacity: kept.capacity) }
}
