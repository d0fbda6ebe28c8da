extension SQLFailure {
    /// Whether a prepared statement failed because the session dropped it or the columns of its result changed.
    static func isStale(_ failure: SQLFailure) -> Bool { ["26000", "0A000"].contains(failure.sqlState) }
}

/// The statements that a connection keeps prepared, by their text. Belongs to whoever has the connection.
final class KeptStatements<Statement> {
    /// Statements with values in their text would otherwise fill the memory.
    private static var most: Int { 32 }

    private var kept: [String: Statement] = [:]
    /// The texts in the order of their last use, the latest at the end.
    private var order: [String] = []

    /// Takes a statement out.
    func take(_ sql: String) -> Statement? {
        guard let statement = kept.removeValue(forKey: sql) else { return nil }
        if let index = order.lastIndex(of: sql) { order.remove(at: index) }
        return statement
    }

    /// Keeps a statement.
    ///
    /// - Returns: the one that has not been used for longest, when there are too many.
    @discardableResult
    func give(_ statement: Statement, of sql: String) -> Statement? {
        kept[sql] = statement
        order.append(sql)
        return order.count > Self.most ? kept.removeValue(forKey: order.removeFirst()) : nil
    }

    func removeAll() { (kept, order) = ([:], []) }
}
