import CPostgres

/// A session with a PostgreSQL server.
///
/// `@unchecked Sendable`: libpq allows a connection to be used by one thread at a time, and the pool hands it to one at a
/// time, with its lock between them.
final class PostgreSQLConnection: SQLConnection, @unchecked Sendable {
    let handle: OpaquePointer
    private let exactNumbers: Bool
    private let tellsDetails: Bool
    private var isClosed = false

    /// What bounds a statement.
    struct Limits {
        let deadline: Deadline
        let maximumResultSize: Int
    }

    /// Takes over a handle that is being connected.
    ///
    /// - Parameters:
    ///   - exactNumbers: whether BIGINT and NUMERIC are read as texts.
    ///   - tellsDetails: whether failures have the details, which quote values, and the hints.
    init(_ handle: OpaquePointer, exactNumbers: Bool, tellsDetails: Bool) {
        (self.handle, self.exactNumbers, self.tellsDetails) = (handle, exactNumbers, tellsDetails)
    }

    /// The last error's text.
    var errorMessage: String {
        String(cString: PQerrorMessage(handle)).trimmingSuffix(while: \.isWhitespace)
    }

    func isAlive(deadline: Deadline) -> Bool {
        // Between statements a server says nothing but its farewell; notices and parameter changes are possible too.
        while Readiness.isReadable(PQsocket(handle)) {
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

    func tidyUp(deadline: Deadline) -> Tidiness {
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
    ) throws(SQLFailure) -> SQLResult {
        let statement = PostgreSQLPlaceholders(sql)
        let fitted = try SQLParameters(parameters, placeholders: statement.count)
        let text = String(decoding: statement.text, as: UTF8.self)
        let limits = Limits(deadline: deadline, maximumResultSize: maximumResultSize)
        var result: SQLResult
        do {
            result = try query(text, fitted.values, limits)
        } catch  where error.sqlState == "42P18" && PQtransactionStatus(handle) == PQTRANS_IDLE {
            // "Could not determine data type of parameter": the server took nothing from its place, such as an argument of
            // concat(). The statement has not run.
            result = try query(text, fitted.values, limits, withTypes: true)
        }
        result.surplusParameters = fitted.surplus
        return result
    }

    /// Runs a statement that has PostgreSQL's own placeholders.
    ///
    /// - Parameter withTypes: tells the server the parameters' own types instead of leaving them to it.
    func query(
        _ sql: String, _ parameters: [SQLValue], _ limits: Limits, withTypes: Bool = false
    ) throws(SQLFailure) -> SQLResult {
        try send(sql, parameters, withTypes: withTypes)
        return try results(limits)
    }

    /// Runs statements, separated by semicolons and without parameters, in one exchange with the server.
    ///
    /// - Returns: the result of the one that returns rows, which may be one only.
    func run(_ script: String, _ limits: Limits) throws(SQLFailure) -> SQLResult {
        guard PQsendQuery(handle, script) == 1 else { throw failed() }
        return try results(limits)
    }

    private func results(_ limits: Limits) throws(SQLFailure) -> SQLResult {
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

    private func send(_ sql: String, _ parameters: [SQLValue], withTypes: Bool) throws(SQLFailure) {
        let values = try PostgreSQLParameters(parameters)
        guard !sql.utf8.contains(0) else { throw SQLFailure(.statement, "the statement's text holds a NUL character") }
        let types = withTypes ? parameters.map(PostgreSQLValues.type) : Array(repeating: 0, count: parameters.count)
        let isSent = values.withPointers { pointers in
            PQsendQueryParams(handle, sql, Int32(parameters.count), types, pointers, nil, nil, 0) == 1
        }
        guard isSent else { throw failed() }
    }

    private func flush(_ deadline: Deadline) throws(SQLFailure) {
        while true {
            let state = PQflush(handle)
            if state == 0 { return }
            // While there is more to write the server may want to be read first.
            guard state > 0,
                Readiness.wait(for: Readiness.read | Readiness.write, on: PQsocket(handle), until: deadline)
            else { throw state > 0 ? timedOut(deadline) : failed() }
            if Readiness.isReadable(PQsocket(handle)), PQconsumeInput(handle) == 0 { throw failed() }
        }
    }

    private func nextResult(_ deadline: Deadline) throws(SQLFailure) -> OpaquePointer? {
        while PQisBusy(handle) == 1 {
            guard Readiness.wait(for: Readiness.read, on: PQsocket(handle), until: deadline) else {
                throw timedOut(deadline)
            }
            // A connection that is lost may have brought the server's reason, which the next results tell.
            if PQconsumeInput(handle) == 0 { break }
        }
        // Rows that arrive fast enough never make it wait above.
        guard !deadline.hasPassed else { throw timedOut(deadline) }
        return PQgetResult(handle)
    }

    private func timedOut(_ deadline: Deadline) -> SQLFailure {
        .timedOut("PostgreSQL did not finish the statement", after: deadline.limit)
    }

    private func failed() -> SQLFailure {
        SQLFailure(.connection, errorMessage.isEmpty ? "the connection to PostgreSQL is lost" : errorMessage)
    }

    /// Asks the server to stop what `connection` runs. The request is a connection of its own, which blocks when the server
    /// hangs: so it has a thread, and there are few of them.
    private static func cancel(_ connection: OpaquePointer) {
        guard let request = PQgetCancel(connection) else { return }
        let address = Int(bitPattern: request)
        let isStarted = Offloaded.startCancellation {
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
