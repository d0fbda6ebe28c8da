import CPostgres

/// A session with a PostgreSQL server.
///
/// `@unchecked Sendable`: libpq allows a connection to be used by one thread at a time, and the pool hands it to one at a
/// time, with its lock between them.
final class PostgreSQLConnection: SQLConnection, @unchecked Sendable {
    let handle: OpaquePointer
    private let exactNumbers: Bool
    private let tellsDetails: Bool
    private let prepareThreshold: Int
    private let statements = StatementCache<KnownStatement>()
    private var lastStatement = 0
    /// Sets the session's settings again; see ``PostgreSQLReset``.
    private var reset = PostgreSQLReset(settings: [])
    private var isResetting = false
    private var isClosed = false

    /// A statement that has been run before.
    private struct KnownStatement {
        let name: String
        var uses = 0
        var isPrepared = false
        /// True if the server does not prepare it, such as one whose parameters have no type.
        var isRefused = false
    }

    /// The limits of a statement.
    struct Limits {
        let deadline: Deadline
        let maximumResultSize: Int
    }

    /// Takes over a handle that is being connected.
    ///
    /// - Parameters:
    ///   - exactNumbers: whether BIGINT and NUMERIC are read as strings.
    ///   - tellsDetails: whether failures have the details, which quote values, and the hints.
    ///   - prepareThreshold: the use at which a statement is prepared, counted from 1; 0 for never.
    init(_ handle: OpaquePointer, exactNumbers: Bool, tellsDetails: Bool, prepareThreshold: Int) {
        (self.handle, self.exactNumbers, self.tellsDetails) = (handle, exactNumbers, tellsDetails)
        self.prepareThreshold = prepareThreshold
    }

    /// The message of the last error.
    var errorMessage: String {
        String(cString: PQerrorMessage(handle)).trimmingSuffix(while: \.isWhitespace)
    }

    /// Sets the session up.
    ///
    /// - Parameter settings: the names and values that the session is to have.
    func prepare(settings: [(name: String, value: String)], _ limits: Limits) throws(SQLStatementError) {
        reset = PostgreSQLReset(settings: try set(settings, limits))
    }

    /// - Returns: the settings that differ from the server's own.
    private func set(
        _ settings: [(name: String, value: String)], _ limits: Limits
    ) throws(SQLStatementError) -> [(name: String, value: String)] {
        let calls = settings.indices.map {
            "pg_catalog.current_setting($\($0 * 2 + 1)) = pg_catalog.set_config($\($0 * 2 + 1), $\($0 * 2 + 2), false)"
        }
        let result = try query(
            "SELECT \(calls.joined(separator: ", "))", settings.flatMap { [.text($0.name), .text($0.value)] }, limits)
        guard let areSame = result.resultSet.flatMap({ $0.count > 0 ? Array($0[0]) : nil }),
            areSame.count == settings.count
        else { return settings }
        return zip(settings, areSame).compactMap { $1 == .bool(true) ? nil : $0 }
    }

    func beginReset() -> Bool {
        statements.removeAll()
        isResetting = reset.script(for: handle).map { PQsendQuery(handle, $0) == 1 && PQflush(handle) >= 0 } ?? false
        return isResetting
    }

    func isReady(deadline: Deadline) -> Bool {
        if isResetting {
            isResetting = false
            let limits = Limits(deadline: deadline, maximumResultSize: 1 << 20)
            guard (try? results(limits)) != nil, PQtransactionStatus(handle) == PQTRANS_IDLE else { return false }
        }
        return isAlive
    }

    private var isAlive: Bool {
        // Between statements a server says nothing but its farewell; notices and parameter changes are possible too.
        while SocketPoller.isReadable(PQsocket(handle)) {
            if PQconsumeInput(handle) == 0 { return false }
            if PQsocket(handle) < 0 { return false }
        }
        return PQstatus(handle) == CONNECTION_OK
    }

    deinit {
        close()
    }

    func close() {
        if !isClosed { PQfinish(handle) }
        isClosed = true
    }

    func rollBackOpenTransaction(deadline: Deadline) -> TransactionState {
        switch PQtransactionStatus(handle) {
        case PQTRANS_IDLE: return .clean
        case PQTRANS_INTRANS, PQTRANS_INERROR:
            let ended = try? query("ROLLBACK", [], Limits(deadline: deadline, maximumResultSize: 1024))
            return ended != nil && PQtransactionStatus(handle) == PQTRANS_IDLE ? .rolledBack : .broken
        default: return .broken
        }
    }

    func execute(
        _ sql: String, parameters: [SQLValue], deadline: Deadline, maximumResultSize: Int
    ) throws(SQLStatementError) -> SQLResult {
        let statement = PostgreSQLPlaceholders(sql)
        let fitted = try SQLParameters(parameters, placeholders: statement.count)
        let text = String(decoding: statement.text, as: UTF8.self)
        let limits = Limits(deadline: deadline, maximumResultSize: maximumResultSize)
        var result: SQLResult
        do {
            result = try runKnown(text, fitted.values, limits)
        } catch  where error.sqlState == "42P18" && PQtransactionStatus(handle) == PQTRANS_IDLE {
            // "Could not determine data type of parameter": the server could not infer a type from the parameter's position, such as an argument of
            // concat(). The statement has not run.
            result = try query(text, fitted.values, limits, withTypes: true)
        }
        result.surplusParameters = fitted.surplus
        return result
    }

    /// Runs a statement, prepared from its ``prepareThreshold``th use on.
    private func runKnown(
        _ sql: String, _ parameters: [SQLValue], _ limits: Limits
    ) throws(SQLStatementError) -> SQLResult {
        // A failed statement of these has no effect, so it may run again after 26000 or 0A000. CALL and DO may have committed.
        guard prepareThreshold > 0, SQLLease.isQueryOrChange(sql), !sql.utf8.contains(0) else {
            return try query(sql, parameters, limits)
        }
        var known = statements.take(sql) ?? newStatement()
        defer {
            if let old = statements.give(known, of: sql), old.isPrepared {
                _ = try? run("DEALLOCATE \(old.name)", limits)
            }
        }
        known.uses += 1
        if !known.isPrepared, !known.isRefused, known.uses >= prepareThreshold {
            known.isPrepared = try prepare(sql, as: known.name, limits)
            known.isRefused = !known.isPrepared
        }
        guard known.isPrepared else { return try query(sql, parameters, limits) }
        do {
            return try results(of: parameters, limits) { count, pointers in
                PQsendQueryPrepared(handle, known.name, count, pointers, nil, nil, 0)
            }
        } catch  where SQLStatementError.isStale(error) && PQtransactionStatus(handle) == PQTRANS_IDLE {
            // The session has it no more (a pooler, DISCARD), or its columns have changed. The statement has not run.
            if error.sqlState == "0A000" { _ = try? run("DEALLOCATE \(known.name)", limits) }
            known.isPrepared = false
            return try query(sql, parameters, limits)
        }
    }

    private func newStatement() -> KnownStatement {
        lastStatement += 1
        return KnownStatement(name: "lamplighter_\(lastStatement)")
    }

    /// - Returns: false when the server does not prepare it.
    private func prepare(_ sql: String, as name: String, _ limits: Limits) throws(SQLStatementError) -> Bool {
        do throws(SQLStatementError) {
            guard PQsendPrepare(handle, name, sql, 0, nil) == 1 else { throw failed() }
            _ = try results(limits)
            return true
        } catch  where error.kind == .statement && PQtransactionStatus(handle) == PQTRANS_IDLE {
            return false
        }
    }

    /// Runs a statement that has PostgreSQL's own placeholders.
    ///
    /// - Parameter withTypes: sends the parameters' types instead of letting the server infer them.
    func query(
        _ sql: String, _ parameters: [SQLValue], _ limits: Limits, withTypes: Bool = false
    ) throws(SQLStatementError) -> SQLResult {
        guard !sql.utf8.contains(0) else {
            throw SQLStatementError(.statement, "the SQL statement holds a NUL character")
        }
        let types = withTypes ? parameters.map(PostgreSQLValues.type) : Array(repeating: 0, count: parameters.count)
        return try results(of: parameters, limits) { count, pointers in
            PQsendQueryParams(handle, sql, count, types, pointers, nil, nil, 0)
        }
    }

    /// - Parameter send: sends a statement with so many values at these addresses; 1 when that went well.
    private func results(
        of parameters: [SQLValue], _ limits: Limits, _ send: (Int32, [UnsafePointer<CChar>?]) -> Int32
    ) throws(SQLStatementError) -> SQLResult {
        let values = try PostgreSQLParameters(parameters)
        guard values.withPointers({ send(Int32(parameters.count), $0) }) == 1 else { throw failed() }
        return try results(limits)
    }

    /// Runs statements, separated by semicolons and without parameters, in one round trip to the server.
    ///
    /// - Returns: the result of the one that returns rows, which may be one only.
    func run(_ script: String, _ limits: Limits) throws(SQLStatementError) -> SQLResult {
        guard PQsendQuery(handle, script) == 1 else { throw failed() }
        return try results(limits)
    }

    private func results(_ limits: Limits) throws(SQLStatementError) -> SQLResult {
        PQsetSingleRowMode(handle)
        do {
            try flush(limits.deadline)
            var reader = PostgreSQLResultReader(
                limit: limits.maximumResultSize, exactNumbers: exactNumbers, tellsDetails: tellsDetails)
            while let result = try nextResult(limits.deadline) {
                defer { PQclear(result) }
                try reader.read(result)
            }
            return try reader.finish()
        } catch  where error.kind == .timeout || error.kind == .resultTooLarge {
            // The server would go on working for nobody; the connection is closed anyway.
            Self.cancel(handle)
            throw error
        }
    }

    private func flush(_ deadline: Deadline) throws(SQLStatementError) {
        while true {
            let state = PQflush(handle)
            if state == 0 { return }
            // While there is more to write the server may want to be read first.
            guard state > 0,
                SocketPoller.wait(for: SocketPoller.read | SocketPoller.write, on: PQsocket(handle), until: deadline)
            else { throw state > 0 ? timedOut(deadline) : failed() }
            if SocketPoller.isReadable(PQsocket(handle)), PQconsumeInput(handle) == 0 { throw failed() }
        }
    }

    private func nextResult(_ deadline: Deadline) throws(SQLStatementError) -> OpaquePointer? {
        while PQisBusy(handle) == 1 {
            guard SocketPoller.wait(for: SocketPoller.read, on: PQsocket(handle), until: deadline) else {
                throw timedOut(deadline)
            }
            // A lost connection may have brought the server's reason, which the next results contain.
            if PQconsumeInput(handle) == 0 { break }
        }
        // Rows that arrive fast enough never make it wait above.
        guard !deadline.hasPassed else { throw timedOut(deadline) }
        return PQgetResult(handle)
    }

    private func timedOut(_ deadline: Deadline) -> SQLStatementError {
        .timedOut("PostgreSQL did not finish the statement", after: deadline.limit)
    }

    private func failed() -> SQLStatementError {
        SQLStatementError(.connection, errorMessage.isEmpty ? "the connection to PostgreSQL is lost" : errorMessage)
    }

    /// Asks the server to stop what `connection` runs. The request opens another connection, which blocks when the server
    /// hangs, so it runs on a thread, and the number of these threads is limited.
    private static func cancel(_ connection: OpaquePointer) {
        guard let request = PQgetCancel(connection) else { return }
        let address = Int(bitPattern: request)
        let isStarted = DriverThreads.startCancellation {
            let request = OpaquePointer(bitPattern: address)
            var message = [CChar](repeating: 0, count: 256)
            _ = PQcancel(request, &message, 256)
            PQfreeCancel(request)
        }
        if !isStarted { PQfreeCancel(request) }
    }
}

extension String {
    func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
        var text = Substring(self)
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return String(text)
    }
}
