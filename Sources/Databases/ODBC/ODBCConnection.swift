import CODBC

/// A connection through an ODBC driver, whose calls may block without a limit.
///
/// So each call runs on its own thread. When the deadline passes first, the connection is abandoned: the thread cancels
/// the statement and keeps the handles until the driver returns.
final class ODBCConnection: SQLConnection {
    private let session: ODBCSession
    private let cancel: @Sendable () -> Void

    /// - Parameter cancel: makes the server end what the session runs. May block.
    init(_ session: ODBCSession, cancel: @escaping @Sendable () -> Void) {
        (self.session, self.cancel) = (session, cancel)
    }

    func isReady(deadline: Deadline) -> Bool {
        let session = session
        return (try? DriverThreads.run(until: deadline) { session.isAlive }) ?? false
    }

    func execute(
        _ sql: String, parameters: [SQLValue], deadline: Deadline, maximumResultSize: Int
    ) throws(SQLStatementError) -> SQLResult {
        try run(deadline) { session throws(SQLStatementError) in
            try session.execute(
                sql, parameters: parameters, deadline: deadline, maximumResultSize: maximumResultSize)
        }
    }

    func call(
        procedure: ProcedureName, parameters: [SQLValue], deadline: Deadline, maximumResultSize: Int
    ) throws(SQLStatementError) -> SQLResult {
        try run(deadline) { session throws(SQLStatementError) in
            try session.call(
                procedure, parameters: parameters, deadline: deadline, maximumResultSize: maximumResultSize)
        }
    }

    private func run(
        _ deadline: Deadline, _ body: @escaping @Sendable (ODBCSession) throws(SQLStatementError) -> SQLResult
    ) throws(SQLStatementError) -> SQLResult {
        let session = session
        let result = try DriverThreads.run(until: deadline) { () throws(SQLStatementError) in try body(session) }
        guard let result else {
            DriverThreads.start(cancel)
            throw .timedOut("the database did not finish the statement", after: deadline.limit)
        }
        return result
    }

    /// Rolls back a transaction that the last statement may have left open, which ODBC does not report. A statement that cannot open one needs
    /// nothing more; after a procedure the transaction is ended; after all else (BEGIN, SET …) the connection is not used again.
    func rollBackOpenTransaction(deadline: Deadline) -> TransactionState {
        let session = session
        switch session.lastEffect {
        case .none: return .clean
        case .unknown: return .broken
        case .procedure:
            let isEnded = try? DriverThreads.run(until: deadline) { session.endTransaction() }
            return isEnded == true ? .clean : .broken
        }
    }

    /// ODBC has no function for it. Connections whose session a statement may have changed are closed by ``rollBackOpenTransaction(deadline:)``.
    func beginReset() -> Bool { true }

    func close() {
        let session = session
        // Behind a call that hangs this waits for its end, on a thread that nobody waits for.
        DriverThreads.start { session.disconnect() }
    }
}
