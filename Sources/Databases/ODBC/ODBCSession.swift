import CODBC
import Synchronization

/// The calls of ODBC on one connection. They block.
final class ODBCSession: Sendable {
    private let connection: ODBCHandle
    /// Held during a call: an abandoned one may still run when the next thread comes.
    private let isInUse = Mutex(())
    /// The statement that runs, for `cancel()`.
    private let running = Mutex<ODBCHandle?>(nil)

    private let effect = Mutex(Effect.none)

    /// The effect of a statement on its session beyond its own transaction.
    enum Effect: Sendable {
        case none, procedure, unknown

        init(of sql: String) {
            let word = sql.trimmingPrefix { $0.isWhitespace || $0 == "(" }.prefix { $0.isLetter || $0 == "{" }
            switch word.lowercased() {
            case "select", "insert", "update", "delete", "replace", "merge", "with", "values", "show", "explain",
                "describe":
                self = .none
            case "call", "exec", "execute", "{", "{call": self = .procedure
            default: self = .unknown
            }
        }
    }

    /// The possible effect of the last statement.
    var lastEffect: Effect { effect.withLock { $0 } }

    private let database: ODBCDatabase
    private let exactNumbers: Bool
    private let booleans: MySQLBooleans?

    /// - Parameters:
    ///   - exactNumbers: whether BIGINT, NUMERIC and DECIMAL are read as strings.
    ///   - booleans: finds the columns whose TINYINT is a BOOLEAN; nil where there are none.
    init(_ connection: ODBCHandle, of database: ODBCDatabase, exactNumbers: Bool, booleans: MySQLBooleans?) {
        (self.connection, self.database) = (connection, database)
        (self.exactNumbers, self.booleans) = (exactNumbers, booleans)
    }

    deinit {
        // One that was opened when nobody waited any longer; for the others it does nothing.
        SQLDisconnect(connection.value)
    }

    var isAlive: Bool {
        isInUse.withLock { _ in
            var isDead = SQLUINTEGER(SQL_CD_FALSE)
            let code = SQLGetConnectAttr(connection.value, SQL_ATTR_CONNECTION_DEAD, &isDead, SQL_IS_UINTEGER, nil)
            return !ODBC.isSuccess(code) || isDead == SQLUINTEGER(SQL_CD_FALSE)
        }
    }

    func execute(
        _ sql: String, parameters: [SQLValue], deadline: Deadline, maximumResultSize: Int
    ) throws(SQLStatementError) -> SQLResult {
        try isInUse.withLock { _ throws(SQLStatementError) in
            let sqlEffect = Effect(of: sql)
            effect.withLock { $0 = sqlEffect }
            let run = { (sql: String, parameters: [SQLValue]) throws(SQLStatementError) in
                try self.run(sql, parameters, deadline, maximumResultSize)
            }
            var outcome: ODBCStatement.Outcome
            do throws(SQLStatementError) {
                outcome = try run(sql, parameters)
            } catch {
                guard Self.isRefusedTime(error), sqlEffect == .none else { throw error }
                // The database does not read the form that rows use for a TIMESTAMP. The statement was undone as a whole.
                let converted = parameters.map(\.isoTextAsInstant)
                guard converted != parameters else { throw error }
                outcome = try run(sql, converted)
            }
            if let booleans, !outcome.tinyColumns.isEmpty, var rows = outcome.result.resultSet.take() {
                // A table's columns are many also where its rows must be few.
                let largest = max(maximumResultSize, 1 << 20)
                try booleans.convert(&rows, outcome.tinyColumns) { sql throws(SQLStatementError) in
                    try self.run(sql, [], deadline, largest).result.resultSet
                }
                outcome.result.resultSet = rows
            }
            return outcome.result
        }
    }

    /// Calls a stored procedure. Strings in the form that rows use for a TIMESTAMP become points in time for parameters of that type: unlike a
    /// statement, the call cannot be tried again with another type.
    func call(
        _ procedure: ProcedureName, parameters: [SQLValue], deadline: Deadline, maximumResultSize: Int
    ) throws(SQLStatementError) -> SQLResult {
        var parameters = parameters
        if parameters.contains(where: { $0.isoTextAsInstant != $0 }) {
            let times = try isInUse.withLock { _ throws(SQLStatementError) in
                try ODBCProcedure(connection, procedure, isCatalogFirst: database == .mySQL).timeParameters()
            }
            for index in parameters.indices where times.contains(index) {
                parameters[index] = parameters[index].isoTextAsInstant
            }
        }
        let placeholders = parameters.map { _ in "?" }.joined(separator: ",")
        return try execute(
            "{call \(procedure.text)(\(placeholders))}", parameters: parameters, deadline: deadline,
            maximumResultSize: maximumResultSize)
    }

    /// Runs one statement, while the caller holds the lock.
    private func run(
        _ sql: String, _ parameters: [SQLValue], _ deadline: Deadline, _ maximumResultSize: Int
    ) throws(SQLStatementError) -> ODBCStatement.Outcome {
        let statement = try ODBCHandle(type: SQL_HANDLE_STMT, parent: connection)
        running.withLock { $0 = statement }
        defer { running.withLock { $0 = nil } }
        return try ODBCStatement(statement).run(
            sql, parameters: parameters, deadline: deadline, maximumResultSize: maximumResultSize,
            exactNumbers: exactNumbers)
    }

    /// Invalid or out of range as a date or time.
    private static func isRefusedTime(_ failure: SQLStatementError) -> Bool {
        failure.sqlState == "22007" || failure.sqlState == "22008"
    }

    /// Asks the driver to end the statement that runs; the one call that ODBC allows at the same time. The lock keeps the
    /// statement's handle from being freed meanwhile.
    func cancel() {
        running.withLock { statement in
            if let statement { SQLCancel(statement.value) }
        }
    }

    /// Rolls back what a BEGIN or SET AUTOCOMMIT sent as a statement left open.
    func endTransaction() -> Bool {
        isInUse.withLock { _ in
            ODBC.isSuccess(SQLEndTran(SQLSMALLINT(SQL_HANDLE_DBC), connection.value, SQLSMALLINT(SQL_ROLLBACK)))
        }
    }

    func disconnect() {
        isInUse.withLock { _ in _ = SQLDisconnect(connection.value) }
    }
}
