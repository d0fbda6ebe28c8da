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

    /// Forgets the values of its last use.
    func reset() {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }

    /// SQLite prepares a statement once more when tables have changed. To be called after the first step.
    func readColumnsIfChanged() {
        let count = sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0)
        guard count != preparations else { return }
        preparations = count
        columns = (0..<sqlite3_column_count(pointer)).map { SQLiteColumn(pointer, $0, exactNumbers: exactNumbers) }
        layout = RowCollector.Layout(labels: columns.map(\.label))
    }
}
