import Core

/// Connections to one database: opened on demand, at most `limit`, handed to one caller at a time, first come first served.
final class ConnectionPool: Sendable {
    private let connector: any SQLConnector
    private let limit: Int
    private let places: ResourcePool<any SQLConnection>

    /// An idle connection is closed when it was not used for this long.
    private static let idleLimit: Duration = .seconds(120)

    init(connector: any SQLConnector, limit: Int) {
        self.connector = connector
        self.limit = max(1, min(limit, connector.connectionLimit ?? .max))
        places = ResourcePool(limit: self.limit, idleLimit: Self.idleLimit)
    }

    /// Runs `body` with a connection for it alone. An idle connection is tested first, and replaced if it is dead.
    ///
    /// - Parameter waiting: the deadline for a free connection; ``close()`` ends the wait too.
    func withConnection<Result>(
        waiting: Deadline, deadline: Deadline, _ body: (any SQLConnection) throws(SQLStatementError) -> Result
    ) throws(SQLStatementError) -> (result: Result, rolledBack: Bool) {
        let kept = try takePlace(deadline: waiting)
        var spare: (any SQLConnection)?
        defer { places.give(spare).forEach { $0.close() } }
        let connection: any SQLConnection
        if let kept, kept.isAlive(deadline: deadline) {
            connection = kept
        } else {
            kept?.close()
            connection = try connector.connect(deadline: deadline)
        }
        do {
            let result = try body(connection)
            let tidiness = connection.rollBackOpenTransaction(deadline: deadline)
            if tidiness == .broken { connection.close() } else { spare = connection }
            return (result, tidiness == .rolledBack)
        } catch {
            let canStay = error.kind == .statement && connection.rollBackOpenTransaction(deadline: deadline) != .broken
            if canStay { spare = connection } else { connection.close() }
            throw error
        }
    }

    /// Closes the idle connections, and those in use when they are returned. Waiting callers get the failure `closed`.
    func close() { places.close().forEach { $0.close() } }

    private func takePlace(deadline: Deadline) throws(SQLStatementError) -> (any SQLConnection)? {
        switch places.take(deadline.wait(for:)) {
        case .kept(let connection): return connection
        case .empty: return nil
        case .closed: throw SQLStatementError(.closed, "the adapter's database connections were closed")
        case .late:
            throw SQLStatementError(
                .poolExhausted,
                """
                no connection to \(connector.name) became free within \(deadline.limit.inSeconds): \(limit) of \
                \(limit) are in use; statements take long, or maxConcurrentConnectionsPerNode is too small
                """)
        }
    }
}
