/// One session with a database. Blocks its caller; used by one thread at a time, which the pool sees to.
protocol SQLConnection: AnyObject, Sendable {
    /// Returns true if the session is still alive and ``beginReset()`` has succeeded. Called before an idle connection is used again; must not wait
    /// longer than `deadline`.
    func isReady(deadline: Deadline) -> Bool
    func execute(
        _ sql: String, parameters: [SQLValue], deadline: Deadline, maximumResultSize: Int
    ) throws(SQLStatementError) -> SQLResult
    func call(
        procedure: ProcedureName, parameters: [SQLValue], deadline: Deadline, maximumResultSize: Int
    ) throws(SQLStatementError) -> SQLResult
    /// Ends a transaction that the last statement left open.
    func rollBackOpenTransaction(deadline: Deadline) -> TransactionState
    /// Begins to bring the session back to its state after the connect, without waiting for the database.
    ///
    /// - Returns: false if the connection must not be used again.
    func beginReset() -> Bool
    /// Ends the session. Called once, as the last.
    func close()
}

/// The state in which a statement left its connection.
enum TransactionState: Sendable {
    case clean
    /// A transaction was open and was rolled back.
    case rolledBack
    /// The connection must not be reused.
    case broken
}

/// Opens connections to one database.
protocol SQLConnector: Sendable {
    /// For messages, without credentials: `PostgreSQL at db.example.com:5432`.
    var name: String { get }
    /// The largest useful number of connections, if the engine limits it more than the policy.
    var connectionLimit: Int? { get }
    func connect(deadline: Deadline) throws(SQLStatementError) -> any SQLConnection
}
