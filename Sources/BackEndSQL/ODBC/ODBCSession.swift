import CODBC
import Synchronization

/// The calls of ODBC on one connection. They block.
final class ODBCSession: Sendable {
    private let connection: ODBCHandle
    /// Held during a call: one that was given up may still run when the next thread comes.
    private let isInUse = Mutex(())
    /// The statement that runs, for `cancel()`.
    private let running = Mutex<ODBCHandle?>(nil)

    private let effect = Mutex(Effect.none)

    /// What a statement may do to its session beyond its own transaction.
    enum Effect: Sendable {
        case none, procedure, unknown

        init(of sql: String) {
            let word = sql.trimmingPrefix { $0.isWhitespace || $0 == "(" }.prefix { $0.isLetter || $0 == "{" }
            switch word.lowercased() {
            case "select", "insert", "update", "delete", "replace", "merge", "with", "values", "create", "drop",
                "alter",
                "truncate", "show", "explain", "describe":
                self = .none
            case "call", "exec", "execute", "{", "{call": self = .procedure
            default: self = .unknown
            }
        }
    }

    /// What the last statement may have done.
    var lastEffect: Effect { effect.withLock { $0 } }

    init(_ connection: ODBCHandle) {
        self.connection = connection
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
    ) throws(SQLFailure) -> SQLResult {
        try isInUse.withLock { _ throws(SQLFailure) in
            effect.withLock { $0 = Effect(of: sql) }
            let statement = try ODBCHandle(type: SQL_HANDLE_STMT, parent: connection)
            running.withLock { $0 = statement }
            defer { running.withLock { $0 = nil } }
            return try ODBCStatement(statement).run(
                sql, parameters: parameters, deadline: deadline, maximumResultSize: maximumResultSize)
        }
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
