import Core
public import Foundation
public import Logging
import Synchronization
public import WorklightProject

/// The database of an adapter's SQL connection policy, reached through a pool of connections (server-api 2.3).
///
/// All calls block the thread that makes them, until the deadline at most. Each statement is its own transaction. The statements of a ``lease()``
/// share a connection, which is then reset for the next one.
public final class SQLDataSource: Sendable {
    /// True if the database is in this process, as SQLite is: a statement computes on the calling thread, and waits for no other process.
    public let isInProcess: Bool
    private let isInterrupted = InterruptionFlag()
    private let pool: ConnectionPool
    private let adapter: String
    private let password: String?
    private let maximumResultSize: Int
    private let logger: Logger

    /// - Parameters:
    ///   - policy: must have a `dataSourceDefinition`.
    ///   - adapter: its name, for messages.
    ///   - folder: the project's; relative paths of SQLite files start there.
    ///   - forbidden: the server's data folder; a SQLite file there is refused.
    ///   - maximumResultSize: the approximate limit of the result's JSON, in bytes.
    ///   - exactNumbers: whether BIGINT, NUMERIC and DECIMAL are read as strings with all their digits. As numbers they lose the digits that a
    ///     script's number cannot hold: those beyond 2^53, and beyond about 16 in all.
    public convenience init(
        policy: SQLConnectionPolicy, adapter: String, folder: URL, forbidden: URL? = nil,
        maximumResultSize: Int = 64 << 20, exactNumbers: Bool = false, logger: Logger = Logger(label: "sql")
    ) throws(SQLConfigurationError) {
        switch policy.source {
        case .definition(let definition):
            try self.init(
                definition: definition, maxConcurrentConnections: policy.maxConcurrentConnections, adapter: adapter,
                folder: folder, forbidden: forbidden, maximumResultSize: maximumResultSize, exactNumbers: exactNumbers,
                logger: logger)
        case .jndiName(let name):
            throw SQLConfigurationError(
                adapter: adapter,
                problem: """
                    dataSourceJNDIName "\(name)" means a data source of an application server, and it is not defined: \
                    \(WorklightProperties.dataSourceAdvice(jndiName: name)), or put <dataSourceDefinition> with <driverClass>, <url>, \
                    <user> and <password> into the connectionPolicy
                    """)
        }
    }

    /// With a definition that was already looked up, such as that of a JNDI name.
    public init(
        definition: SQLDataSourceDefinition, maxConcurrentConnections: Int, adapter: String, folder: URL,
        forbidden: URL? = nil, maximumResultSize: Int = 64 << 20, exactNumbers: Bool = false,
        logger: Logger = Logger(label: "sql")
    ) throws(SQLConfigurationError) {
        let address: DatabaseAddress
        do {
            address = try DatabaseAddress(definition)
        } catch {
            throw SQLConfigurationError(adapter: adapter, problem: error.problem)
        }
        pool = ConnectionPool(
            connector: address.connector(folder: folder, forbidden: forbidden, exactNumbers: exactNumbers),
            limit: maxConcurrentConnections, closesAfterLease: address.closesAfterCall)
        password = address.password
        isInProcess = if case .sqlite = address { true } else { false }
        (self.adapter, self.maximumResultSize, self.logger) = (adapter, maximumResultSize, logger)
    }

    deinit {
        pool.close()
    }

    /// The reason why no connection can be opened, found without opening one.
    public enum Obstacle: Sendable, Hashable {
        /// The URL is none of a known database, or is not complete.
        case url(String)
        /// This machine has no ODBC driver for the database.
        case driver(String)
    }

    /// Checks a definition without opening a connection. `nil` if nothing is wrong.
    public static func obstacle(to definition: SQLDataSourceDefinition) -> Obstacle? {
        do {
            return try DatabaseAddress(definition).obstacle.map { .driver($0) }
        } catch {
            return .url(error.problem)
        }
    }

    /// Begins a call's use of the connections. It takes one with the first statement.
    public func lease() -> SQLLease { SQLLease(of: self) }

    /// Runs a single statement, as ``SQLLease/execute(_:parameters:deadline:isGivenUp:cpu:onWait:)``.
    public func execute(
        _ sql: String, parameters: [SQLValue] = [], deadline: Duration, isGivenUp: (@Sendable () -> Bool)? = nil
    ) throws(SQLStatementError) -> SQLResult {
        try lease().execute(sql, parameters: parameters, deadline: deadline, isGivenUp: isGivenUp)
    }

    /// Makes a single call of a stored procedure, as ``SQLLease/call(procedure:parameters:deadline:isGivenUp:)``.
    public func call(
        procedure: String, parameters: [SQLValue] = [], deadline: Duration, isGivenUp: (@Sendable () -> Bool)? = nil
    ) throws(SQLStatementError) -> SQLResult {
        try lease().call(procedure: procedure, parameters: parameters, deadline: deadline, isGivenUp: isGivenUp)
    }

    /// Opens a connection and closes it. Runs no statement of an adapter.
    ///
    /// - Parameter limit: the longest wait.
    /// - Returns: the reason why there is no connection; `nil` if there was one.
    public func connect(within limit: Duration) -> String? {
        let deadline = Deadline(in: limit).cancellable { [isInterrupted] in isInterrupted.flag.load(ordering: .relaxed)
        }
        do {
            try pool.tryConnection(deadline: deadline)
            return nil
        } catch {
            return error.redacting(password).description
        }
    }

    /// Closes all connections, those in use as soon as their statement is over. Later calls fail.
    public func close() {
        pool.close()
    }

    /// Like ``close()``; running statements fail within some milliseconds, as after the deadline.
    public func interrupt() {
        isInterrupted.flag.store(true, ordering: .relaxed)
        pool.close()
    }

    func end(_ lease: SQLLease) { pool.end(lease) }

    /// - Parameter what: the statement, for the log.
    func run(
        on lease: SQLLease, deadline: Deadline, what: String,
        _ body: (any SQLConnection, Deadline, _ maximumResultSize: Int) throws(SQLStatementError) -> SQLResult
    ) throws(SQLStatementError) -> SQLResult {
        let orInterrupted = deadline.cancellable { [isInterrupted] in isInterrupted.flag.load(ordering: .relaxed) }
        do {
            let (result, rolledBack) = try pool.withConnection(of: lease, waiting: deadline, deadline: orInterrupted) {
                connection throws(SQLStatementError) in
                try body(connection, orInterrupted, maximumResultSize)
            }
            if rolledBack {
                logger.warning(
                    "a statement left a transaction open, which was rolled back: each statement is its own transaction",
                    metadata: ["adapter": "\(adapter)", "statement": "\(what.prefix(200))"])
            }
            return result
        } catch {
            throw error.redacting(password)
        }
    }
}

private final class InterruptionFlag: Sendable {
    let flag = Atomic(false)
}
