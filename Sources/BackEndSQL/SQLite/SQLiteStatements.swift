import GRDBSQLite

/// A prepared statement of a connection.
final class SQLiteStatement {
    let pointer: OpaquePointer
    let placeholders: Int
    private(set) var columns: [SQLiteColumn] = []
    private(set) var layout = RowCollector.Layout(labels: [])
    private let exactNumbers: Bool
    private var preparations: Int32 = -1

    init(_ pointer: OpaquePointer, exactNumbers: Bool) {
        (self.pointer, self.exactNumbers) = (pointer, exactNumbers)
        placeholders = Int(sqlite3_bind_parameter_count(pointer))
    }

    deinit { sqlite3_finalize(pointer) }

    /// SQLite prepares a statement once more when tables have changed. To be called after the first step.
    func readColumnsIfChanged() {
        let count = sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0)
        guard count != preparations else { return }
        preparations = count
        columns = (0..<sqlite3_column_count(pointer)).map { SQLiteColumn(pointer, $0, exactNumbers: exactNumbers) }
        layout = RowCollector.Layout(labels: columns.map(\.label))
    }
}

/// The statements that a connection keeps prepared, by their text. Belongs to whoever has the connection.
final class SQLiteStatements {
    /// How many are kept. Statements with values in their text would otherwise fill the memory.
    private static let most = 32

    private var kept: [String: SQLiteStatement] = [:]
    /// The texts in the order of their last use, the latest at the end.
    private var order: [String] = []

    /// Takes a statement out.
    func take(_ sql: String) -> SQLiteStatement? {
        guard let statement = kept.removeValue(forKey: sql) else { return nil }
        if let index = order.lastIndex(of: sql) { order.remove(at: index) }
        return statement
    }

    /// Keeps a statement, without the values of its last use.
    func give(_ statement: SQLiteStatement, of sql: String) {
        sqlite3_reset(statement.pointer)
        sqlite3_clear_bindings(statement.pointer)
        kept[sql] = statement
        order.append(sql)
        if order.count > Self.most { kept[order.removeFirst()] = nil }
    }

    func removeAll() { (kept, order) = ([:], []) }
}
