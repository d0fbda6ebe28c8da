import Core
import Synchronization

/// Sessions with a PostgreSQL of the server's own, for its store: opened on demand, and each used by one caller at a time.
package final class PostgreSQLSessions: Sendable {
    /// For messages, without a password.
    package let name: String
    private let connection: String
    private let pool: ConnectionPool
    private let connectTime: Duration
    private let statementTime: Duration
    private let waitingTime: Duration
    /// Statements with PostgreSQL's placeholders, by those with question marks.
    private let statements = Mutex<[String: String]>([:])

    /// The largest result, in bytes.
    private static let largestResult = 1 << 30

    /// - Parameters:
    ///   - connection: a connection string of libpq.
    ///   - name: for messages, without a password.
    ///   - limit: how many sessions there are at most.
    ///   - connectTime: how long the opening of a session may take.
    ///   - statementTime: how long a statement may take.
    ///   - waitingTime: how long a caller waits for a session while all are in use.
    package init(
        _ connection: String, name: String, limit: Int, connectTime: Duration = .seconds(5),
        statementTime: Duration = .seconds(30), waitingTime: Duration = .seconds(10)
    ) {
        (self.name, self.connection) = (name, connection)
        (self.connectTime, self.statementTime, self.waitingTime) = (connectTime, statementTime, waitingTime)
        let milliseconds = String(statementTime.components.seconds * 1000)
        let connector = PostgreSQLConnector(
            name: name, connection: connection,
            settings: [
                ("bytea_output", "hex"), ("statement_timeout", milliseconds), ("lock_timeout", milliseconds),
                ("idle_in_transaction_session_timeout", milliseconds),
            ])
        pool = ConnectionPool(connector: connector, limit: limit, keepsState: true)
    }

    /// Runs `body` with a session for it alone. A transaction that it leaves open is rolled back.
    ///
    /// - Throws: what `body` throws; ``SQLStatementError`` when no session is available.
    package func withSession<Value>(_ body: (PostgreSQLSession) throws -> Value) throws -> Value {
        let result = try pool.withConnection(waiting: Deadline(in: waitingTime), deadline: Deadline(in: connectTime)) {
            (connection) throws(SQLStatementError) -> Result<Value, any Error> in
            guard let connection = connection as? PostgreSQLConnection else {
                throw SQLStatementError(.connection, "\(name): no session")
            }
            do {
                return .success(try body(PostgreSQLSession(connection: connection, sessions: self)))
            } catch let failure as SQLStatementError {
                // Those of the connection close it.
                throw failure
            } catch {
                return .failure(error)
            }
        }
        return try result.result.get()
    }

    /// Opens a channel of the same database, with a separate connection.
    ///
    /// - Returns: `nil` when the process has no file descriptors left.
    package func channel(_ name: String, onNews: @escaping @Sendable () -> Void) -> PostgreSQLChannel? {
        PostgreSQLChannel(connection, name: name, onNews: onNews)
    }

    fileprivate func query(
        _ sql: String, _ parameters: [SQLValue], on connection: PostgreSQLConnection
    ) throws(SQLStatementError) -> SQLResult {
        try connection.query(statement(sql), parameters, limits)
    }

    fileprivate func run(_ script: String, on connection: PostgreSQLConnection) throws(SQLStatementError) {
        _ = try connection.run(script, limits)
    }

    private var limits: PostgreSQLConnection.Limits {
        PostgreSQLConnection.Limits(deadline: Deadline(in: statementTime), maximumResultSize: Self.largestResult)
    }

    private func statement(_ sql: String) -> String {
        if let known = statements.withLock({ $0[sql] }) { return known }
        let text = String(decoding: PostgreSQLPlaceholders(sql).text, as: UTF8.self)
        statements.withLock { $0[sql] = text }
        return text
    }
}

/// One session, for as long as it is lent.
package struct PostgreSQLSession {
    fileprivate let connection: PostgreSQLConnection
    fileprivate let sessions: PostgreSQLSessions

    /// Runs a statement, whose parameters are question marks.
    ///
    /// - Throws: ``SQLStatementError``.
    @discardableResult
    package func query(_ sql: String, _ parameters: [SQLValue] = []) throws(SQLStatementError) -> SQLResult {
        try sessions.query(sql, parameters, on: connection)
    }

    /// Runs statements, separated by semicolons and without parameters, in one round trip to the server.
    ///
    /// - Throws: ``SQLStatementError``.
    package func run(_ script: String) throws(SQLStatementError) { try sessions.run(script, on: connection) }
}
