import CSQLite
import Foundation
import GRDBSQLite

/// A connection to an SQLite file.
///
/// `@unchecked Sendable`: the handle is opened without SQLite's own locks, and the pool hands a connection to one thread at
/// a time, with its lock between them.
final class SQLiteConnection: SQLConnection, @unchecked Sendable {
    private let handle: OpaquePointer
    private let exactNumbers: Bool
    private let watch = SQLiteInterrupter()
    private let statements = StatementCache<SQLiteStatement>()
    /// SQLite's default for `PRAGMA foreign_keys`.
    private let hasForeignKeys: Int32

    /// - Parameter exactNumbers: whether BIGINT, NUMERIC and DECIMAL are read as strings.
    init(_ handle: OpaquePointer, exactNumbers: Bool) {
        (self.handle, self.exactNumbers) = (handle, exactNumbers)
        hasForeignKeys = lamplighterSetForeignKeys(handle, -1)
        watch.watch(handle)
    }

    func isReady(deadline: Deadline) -> Bool { true }

    /// Temporary objects are refused when they are made, except `CREATE TRIGGER temp.name`, which SQLite's authorizer reports as one of the file: then
    /// the connection is closed.
    func beginReset() -> Bool {
        guard !hasTemporaryObjects else { return false }
        sqlite3_set_last_insert_rowid(handle, 0)
        return lamplighterSetForeignKeys(handle, hasForeignKeys) == SQLITE_OK
    }

    private var hasTemporaryObjects: Bool {
        watch.start(Deadline(in: .seconds(5)))
        defer { watch.end() }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, "SELECT 1 FROM temp.sqlite_master LIMIT 1", -1, &statement, nil) == SQLITE_OK
        else {
            return true
        }
        return sqlite3_step(statement) != SQLITE_DONE
    }

    func close() {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    func rollBackOpenTransaction(deadline: Deadline) -> TransactionState {
        if sqlite3_get_autocommit(handle) != 0 { return .clean }
        // Also after the statement's time.
        watch.start(Deadline(in: .seconds(5)))
        return sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) == SQLITE_OK ? .rolledBack : .broken
    }

    func call(
        procedure: ProcedureName, parameters: [SQLValue], deadline: Deadline, maximumResultSize: Int
    ) throws(SQLStatementError) -> SQLResult {
        throw SQLStatementError(
            .statement, "SQLite has no stored procedures, so \(procedure.text) cannot be called: use a statement")
    }

    func execute(
        _ sql: String, parameters: [SQLValue], deadline: Deadline, maximumResultSize: Int
    ) throws(SQLStatementError) -> SQLResult {
        watch.start(deadline)
        defer { watch.end() }
        let statement = try takeStatement(sql, deadline)
        defer {
            statement.reset()
            statements.give(statement, of: sql)
        }
        let fitted = try SQLParameters(parameters, placeholders: statement.placeholders)
        try bind(fitted.values, to: statement.pointer)
        var result = try run(statement, deadline: deadline, maximumResultSize: maximumResultSize)
        result.surplusParameters = fitted.surplus
        return result
    }

    private func takeStatement(_ sql: String, _ deadline: Deadline) throws(SQLStatementError) -> SQLiteStatement {
        if let kept = statements.take(sql) { return kept }
        return SQLiteStatement(try prepare(sql, deadline), exactNumbers: exactNumbers)
    }

    private func run(
        _ statement: SQLiteStatement, deadline: Deadline, maximumResultSize: Int
    ) throws(SQLStatementError) -> SQLResult {
        let changesBefore = sqlite3_total_changes64(handle)
        var code = sqlite3_step(statement.pointer)
        statement.readColumnsIfChanged()
        var rows = RowCollector(statement.layout, limit: maximumResultSize)
        while true {
            switch code {
            case SQLITE_ROW:
                try rows.appendRow { index, cells in statement.columns[index].read(into: &cells) }
                code = sqlite3_step(statement.pointer)
            case SQLITE_DONE where !statement.columns.isEmpty:
                return rows.result
            case SQLITE_DONE:
                // sqlite3_changes keeps the count of an earlier statement when this one changes nothing.
                let hasChanged = sqlite3_total_changes64(handle) != changesBefore
                return SQLResult(updateCount: hasChanged ? Int(sqlite3_changes64(handle)) : 0)
            default:
                throw failure(deadline)
            }
        }
    }

    private func prepare(_ sql: String, _ deadline: Deadline) throws(SQLStatementError) -> OpaquePointer {
        var statement: OpaquePointer?
        var following: OpaquePointer?
        var (code, hasFollowing) = (SQLITE_OK, false)
        sql.withCString { text in
            var tail: UnsafePointer<CChar>?
            code = sqlite3_prepare_v2(handle, text, -1, &statement, &tail)
            guard code == SQLITE_OK, let tail, tail.pointee != 0 else { return }
            // A comment or blanks do not make a statement.
            hasFollowing = sqlite3_prepare_v2(handle, tail, -1, &following, nil) != SQLITE_OK || following != nil
            sqlite3_finalize(following)
        }
        guard code == SQLITE_OK else { throw failure(deadline) }
        guard let statement else { throw SQLStatementError(.statement, "the statement is empty") }
        guard !hasFollowing else {
            sqlite3_finalize(statement)
            throw SQLStatementError(.statement, "the SQL string holds more than one statement: pass one at a time")
        }
        return statement
    }

    private func bind(_ parameters: [SQLValue], to statement: OpaquePointer) throws(SQLStatementError) {
        for (index, value) in parameters.enumerated() {
            guard SQLiteParameters.bind(value, to: statement, Int32(index + 1)) == SQLITE_OK else {
                throw SQLStatementError(
                    .statement, "parameter \(index + 1): \(String(cString: sqlite3_errmsg(handle)))")
            }
        }
    }

    private func failure(_ deadline: Deadline) -> SQLStatementError {
        let message = String(cString: sqlite3_errmsg(handle))
        return switch sqlite3_errcode(handle) {
        case SQLITE_INTERRUPT where watch.hasUsedItsCPUTime:
            SQLStatementError(.timeout, "the statement did not end within the CPU time of its call")
        case SQLITE_INTERRUPT: .timedOut("the statement did not end", after: deadline.limit)
        case SQLITE_BUSY: .timedOut("\(message): the file did not become free", after: deadline.limit)
        case SQLITE_AUTH where deadline.hasPassed: .timedOut("the statement did not end", after: deadline.limit)
        case SQLITE_AUTH where watch.isTooDeep:
            SQLStatementError(.statement, "its views, triggers or foreign keys nest too deep")
        case SQLITE_AUTH: SQLStatementError(.statement, "\(message): \(SQLiteAuthorizer.advice)")
        // SQLite's error for a function has another code.
        case SQLITE_ERROR where message.hasPrefix("not authorized"):
            SQLStatementError(.statement, "\(message): \(SQLiteAuthorizer.advice)")
        case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_IOERR, SQLITE_CANTOPEN: SQLStatementError(.connection, message)
        default: SQLStatementError(.statement, message)
        }
    }
}

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
