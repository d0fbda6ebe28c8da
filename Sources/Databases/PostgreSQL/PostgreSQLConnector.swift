import CPostgres

/// Opens connections to a PostgreSQL server with libpq, without blocking longer than a deadline.
struct PostgreSQLConnector: SQLConnector {
    let name: String
    let connectionLimit: Int? = nil
    /// For libpq. Of several with the same keyword the last counts; `dbname` may be a connection string.
    private let parameters: [(keyword: String, value: String)]
    /// The settings of each session.
    private let settings: [(name: String, value: String)]
    private let exactNumbers: Bool
    /// True if libpq tries one host after the other, each with the timeout `connect_timeout`; and if errors have only their first part, since their
    /// details quote values.
    private let isOfStore: Bool
    private let prepareThreshold: Int

    init(_ address: DatabaseServerAddress, exactNumbers: Bool) {
        self.exactNumbers = exactNumbers
        isOfStore = false
        // As the JDBC driver has it: the use from which on a statement is prepared, and 0 for poolers that cannot keep one.
        prepareThreshold = address.settings["preparethreshold"].flatMap { Int($0) } ?? 5
        name = "PostgreSQL at \(address.text(defaultPort: 5432))"
        parameters = Self.parameters(address).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        // Results are read in these forms.
        let forms = [("DateStyle", "ISO"), ("TimeZone", "UTC"), ("bytea_output", "hex")]
        settings = forms + (address.settings["currentschema"].map { [("search_path", $0)] } ?? [])
    }

    /// - Parameters:
    ///   - name: for messages, without a password.
    ///   - connection: a connection string of libpq, such as `postgres://user@host/database`.
    ///   - settings: what is set in each session.
    init(name: String, connection: String, settings: [(name: String, value: String)]) {
        self.name = name
        self.settings = settings
        exactNumbers = false
        isOfStore = true
        prepareThreshold = 0
        parameters = [
            ("connect_timeout", "5"), ("fallback_application_name", "lamplighter"),
            ("target_session_attrs", "read-write"),
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "20000"), ("dbname", connection), ("client_encoding", "UTF8"),
        ]
    }

    /// Connects on a separate thread, because looking up a host's name blocks without a limit.
    func connect(deadline: Deadline) throws(SQLStatementError) -> any SQLConnection {
        let opened = try DriverThreads.run(until: deadline) { () throws(SQLStatementError) in
            let connection = PostgreSQLConnection(
                try start(), exactNumbers: exactNumbers, tellsDetails: !isOfStore, prepareThreshold: prepareThreshold)
            try establish(connection, deadline)
            try connection.prepare(
                settings: settings,
                PostgreSQLConnection.Limits(deadline: deadline, maximumResultSize: 1 << 20))
            return connection
        }
        guard let opened else { throw unanswered(deadline) }
        return opened
    }

    private func unanswered(_ deadline: Deadline) -> SQLStatementError {
        SQLStatementError(.connection, "\(name) did not respond within \(deadline.limit.inSeconds) while connecting")
    }

    private func start() throws(SQLStatementError) -> OpaquePointer {
        let handle = parameters.map(\.keyword).withCStrings { keys in
            parameters.map(\.value).withCStrings { values in
                // The other function does not continue with the next host while one does not respond.
                isOfStore ? PQconnectdbParams(keys, values, 1) : PQconnectStartParams(keys, values, 1)
            }
        }
        guard let handle else { throw SQLStatementError(.connection, "no memory for a connection to \(name)") }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        return handle
    }

    private func establish(_ connection: PostgreSQLConnection, _ deadline: Deadline) throws(SQLStatementError) {
        var state =
            switch PQstatus(connection.handle) {
            case CONNECTION_OK: PGRES_POLLING_OK
            case CONNECTION_BAD: PGRES_POLLING_FAILED
            default: PGRES_POLLING_WRITING
            }
        while state != PGRES_POLLING_OK {
            guard state != PGRES_POLLING_FAILED else {
                throw SQLStatementError(.connection, "\(connection.errorMessage) (\(name))")
            }
            let events = state == PGRES_POLLING_READING ? SocketPoller.read : SocketPoller.write
            guard SocketPoller.wait(for: events, on: PQsocket(connection.handle), until: deadline) else {
                throw unanswered(deadline)
            }
            state = PQconnectPoll(connection.handle)
        }
        PQsetnonblocking(connection.handle, 1)
    }

    /// Returns libpq's parameters for those of the JDBC driver that both have.
    private static func parameters(_ address: DatabaseServerAddress) -> [String: String] {
        let settings = address.settings
        var parameters = [
            "host": address.hosts.map(\.name).joined(separator: ","),
            "port": address.hosts.map { String($0.port ?? 5432) }.joined(separator: ","),
            "client_encoding": "UTF8",
            "application_name": settings["applicationname"] ?? "lamplighter",
        ]
        parameters["dbname"] = address.database ?? address.user
        parameters["user"] = address.user
        parameters["password"] = address.password
        for name in ["sslmode", "sslcert", "sslkey", "sslrootcert", "sslpassword", "options"] {
            parameters[name] = settings[name]
        }
        if parameters["sslmode"] == nil, let ssl = settings["ssl"], ssl != "false" {
            parameters["sslmode"] = "verify-full"
        }
        if settings["targetservertype"] == "master" || settings["targetservertype"] == "primary" {
            parameters["target_session_attrs"] = "read-write"
        }
        return parameters
    }
}

extension [String] {
    /// Calls `body` with C strings and a NULL behind the last one.
    fileprivate func withCStrings<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        func add(_ index: Int, _ pointers: [UnsafePointer<CChar>?]) -> Result {
            guard index < count else { return body(pointers + [nil]) }
            return self[index].withCString { add(index + 1, pointers + [$0]) }
        }
        return add(0, [])
    }
}
