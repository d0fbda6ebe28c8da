import Core

/// Connections to one database: opened on demand, at most `limit`, handed to one caller at a time, first come first served.
///
/// A connection's session state (settings, temporary tables, the last generated key) stays for the statements of one ``SQLLease``. Every other
/// caller gets a connection that was reset before.
final class ConnectionPool: Sendable {
    private let connector: any SQLConnector
    private let limit: Int
    private let keepsState: Bool
    private let closesAfterLease: Bool
    private let places: ResourcePool<any SQLConnection, ObjectIdentifier>

    /// An idle connection is closed when it was not used for this long.
    private static let idleLimit: Duration = .seconds(120)

    /// - Parameters:
    ///   - keepsState: whether connections are never reset, since all callers are the server itself.
    ///   - closesAfterLease: whether connections are closed in place of a reset.
    init(connector: any SQLConnector, limit: Int, keepsState: Bool = false, closesAfterLease: Bool = false) {
        self.connector = connector
        self.limit = max(1, min(limit, connector.connectionLimit ?? .max))
        (self.keepsState, self.closesAfterLease) = (keepsState, closesAfterLease)
        places = ResourcePool(limit: self.limit, idleLimit: Self.idleLimit)
    }

    /// Runs `body` with a connection for it alone. An idle connection is tested first, and replaced if it is dead.
    ///
    /// - Parameters:
    ///   - lease: whose connection is used and stays reserved; `nil` for a single use.
    ///   - waiting: the deadline for a free connection; ``close()`` ends the wait too.
    func withConnection<Result>(
        of lease: SQLLease? = nil, waiting: Deadline, deadline: Deadline,
        _ body: (any SQLConnection) throws(SQLStatementError) -> Result
    ) throws(SQLStatementError) -> (result: Result, rolledBack: Bool) {
        let owner = lease.map(ObjectIdentifier.init)
        let isReserved = closesAfterLease || lease?.hasState == true
        let kept = try takePlace(for: owner, deadline: waiting)
        var spare: (any SQLConnection)?
        defer { give(spare, for: owner, isReserved: isReserved) }
        let connection: any SQLConnection
        if let kept, kept.isReady(deadline: deadline) {
            connection = kept
        } else {
            kept?.close()
            if kept != nil, deadline.hasPassed {
                throw SQLStatementError.timedOut("\(connector.name) did not respond", after: deadline.limit)
            }
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

    /// Opens a connection beside the pool's, and closes it.
    func tryConnection(deadline: Deadline) throws(SQLStatementError) {
        try connector.connect(deadline: deadline).close()
    }

    /// Ends the reservation of a lease's connection. Does not wait for the database.
    func end(_ lease: SQLLease) {
        if let connection = places.takeBack(from: ObjectIdentifier(lease)) { give(connection, for: nil) }
    }

    /// Closes the idle connections, and those in use when they are returned. Waiting callers get the failure `closed`.
    func close() { places.close().forEach { $0.close() } }

    /// - Parameter owner: the lease that keeps the connection; without one the connection is reset.
    private func give(_ connection: (any SQLConnection)?, for owner: ObjectIdentifier?, isReserved: Bool = false) {
        let spare = owner == nil ? connection.flatMap(reset) : connection
        places.give(spare, for: owner, isReserved: isReserved && owner != nil).forEach { $0.close() }
    }

    /// - Returns: `nil` if the connection was closed.
    private func reset(_ connection: any SQLConnection) -> (any SQLConnection)? {
        if keepsState || !closesAfterLease && connection.beginReset() { return connection }
        connection.close()
        return nil
    }

    private func takePlace(
        for owner: ObjectIdentifier?, deadline: Deadline
    ) throws(SQLStatementError) -> (any SQLConnection)? {
        switch places.take(for: owner, deadline.wait(for:)) {
        case .kept(let connection): return connection
        case .foreign(let connection): return reset(connection)
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
