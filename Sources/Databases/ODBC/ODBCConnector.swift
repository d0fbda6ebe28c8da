import CODBC

/// Opens connections through the installed ODBC driver for a database.
struct ODBCConnector: SQLConnector {
    let name: String
    let connectionLimit: Int? = nil
    private let database: ODBCDatabase
    private let address: DatabaseServerAddress
    private let exactNumbers: Bool
    private let booleans: MySQLBooleans?

    init(_ database: ODBCDatabase, _ address: DatabaseServerAddress, exactNumbers: Bool) {
        self.exactNumbers = exactNumbers
        // Connector/J's setting, on unless the URL turns it off.
        let hasBooleans = database == .mySQL && address.settings["tinyint1isbit"]?.lowercased() != "false"
        booleans = hasBooleans ? MySQLBooleans() : nil
        name = "\(database.name) at \(address.text(defaultPort: database.defaultPort))"
        (self.database, self.address) = (database, address)
    }

    func connect(deadline: Deadline) throws(SQLStatementError) -> any SQLConnection {
        let opened = try DriverThreads.run(until: deadline) { () throws(SQLStatementError) in
            let session = try open(deadline)
            return ODBCConnection(session, cancel: try canceller(of: session, deadline))
        }
        guard let opened else {
            throw SQLStatementError(
                .connection, "\(name) did not respond within \(deadline.limit.inSeconds) while connecting")
        }
        return opened
    }

    private func open(_ deadline: Deadline) throws(SQLStatementError) -> ODBCSession {
        let handle = try ODBCHandle(type: SQL_HANDLE_DBC, parent: try .environment())
        try login(handle, driver: try database.installedDriver(), deadline)
        let session = ODBCSession(handle, of: database, exactNumbers: exactNumbers, booleans: booleans)
        for statement in database.sessionStart {
            _ = try session.execute(statement, parameters: [], deadline: deadline, maximumResultSize: 1024)
        }
        return session
    }

    private func login(_ handle: ODBCHandle, driver: String, _ deadline: Deadline) throws(SQLStatementError) {
        let seconds = Int(deadline.remaining.components.seconds) + 1
        SQLSetConnectAttr(handle.value, SQL_ATTR_LOGIN_TIMEOUT, SQLPOINTER(bitPattern: seconds), SQL_IS_UINTEGER)
        var text = Array(ODBCConnectionString(database, address, driver: driver).text.utf16)
        let code = SQLDriverConnectW(
            handle.value, nil, &text, SQLSMALLINT(clamping: text.count), nil, 0, nil, SQLUSMALLINT(SQL_DRIVER_NOPROMPT))
        guard !ODBC.isSuccess(code) else { return }
        let failure = ODBC.failure(handle, .connection)
        // IM003: registered, but its library cannot be loaded.
        if failure.sqlState?.hasPrefix("IM00") == true {
            throw SQLStatementError(
                .driverMissing, "\(failure.message) (driver \"\(driver)\"): \(database.installation)",
                sqlState: failure.sqlState)
        }
        throw SQLStatementError(.connection, "\(failure.message) (\(name))", sqlState: failure.sqlState)
    }

    /// Returns the function that makes the server end the statement that `session` runs.
    ///
    /// MariaDB's driver frees a statement's result when SQLCancel comes while another thread reads it, so there a second
    /// session kills the first.
    private func canceller(
        of session: ODBCSession, _ deadline: Deadline
    ) throws(SQLStatementError) -> @Sendable () -> Void {
        guard database == .mySQL else { return { session.cancel() } }
        let answer = try session.execute(
            "SELECT CAST(CONNECTION_ID() AS CHAR)", parameters: [], deadline: deadline, maximumResultSize: 1024)
        guard let id = answer.resultSet?.values.first, case .text(let text) = id, let id = UInt64(text)
        else { return {} }
        return {
            let limit = Deadline(in: .seconds(10))
            _ = try? open(limit).execute("KILL \(id)", parameters: [], deadline: limit, maximumResultSize: 1024)
        }
    }
}
