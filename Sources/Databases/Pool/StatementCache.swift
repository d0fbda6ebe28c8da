import Core

extension SQLStatementError {
    /// Returns true if a prepared statement failed because the session dropped it or the columns of its result changed.
    static func isStale(_ failure: SQLStatementError) -> Bool { ["26000", "0A000"].contains(failure.sqlState) }
}

/// The statements that a connection keeps prepared, keyed by their SQL. Only the user of the connection uses them.
final class StatementCache<Statement> {
    /// Bounded, since statements with literal values would otherwise fill the memory.
    ///
    /// Keyed by UTF-8 bytes: Swift's strings are equal where databases see two different ones (`é` as one character or as two).
    private var kept = BoundedTable<[UInt8], Statement>(capacity: 32)

    /// Takes a statement out.
    func take(_ sql: String) -> Statement? { kept.removeValue(forKey: Array(sql.utf8)) }

    /// Keeps a statement.
    ///
    /// - Returns: the one that has not been used for longest, when there are too many.
    @discardableResult
    func give(_ statement: Statement, of sql: String) -> Statement? { kept.insert(statement, forKey: Array(sql.utf8)) }

    func removeAll() { kept = BoundedTable(capacity: kept.capacity) }
}
