import CPostgres

/// Opens connections to a PostgreSQL server with libpq, without blocking longer than a deadline.
struct PostgreSQLConnector: SQLConnector {
    let name: String
    let connectionLimit: Int? = nil
    private let parameters: [String: String]
    private let schema: String?
    private let exactNumbers: Bool

    init(_ address: ServerAddress, exactNumbers: Bool) {
        self.exactNumbers = exactNumbers
        name = "PostgreSQL at \(address.text(defaultPort: 5432))"
        schema = address.settings["currentschema"]
        parameters = Self.parameters(address)
    }

    /// On a thread of its own, as looking up a host's name blocks for as long as the system likes.
    func connect(deadline: Deadline) throws(SQLFailure) -> any SQLConnection {
        let opened = try Offloaded.run(until: deadline) { () throws(SQLFailure) in
            let connection = PostgreSQLConnection(try start(), exactNumbers: exactNumbers)
            try establish(connection, deadline)
            try prepareSession(connection, deadline)
            return connection
        }
        guard let opened else { throw unanswered(deadline) }
        return opened
    }

    private func unanswered(_ deadline: Deadline) -> SQLFailure {
        SQLFailure(.connection, "\(name) did not answer within \(deadline.limit.inSeconds) while connecting")
    }

    private func start() throws(SQLFailure) -> OpaquePointer {
        let pairs = parameters.sorted { $0.key < $1.key }
        let handle = pairs.map(\.key).withCStrings { keys in
            pairs.map(\.value).withCStrings { values in PQconnectStartParams(keys, values, 0) }
        }
        guard let handle else { throw SQLFailure(.connection, "no memory for a connection to \(name)") }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        return handle
    }

    private func establish(_ connection: PostgreSQLConnection, _ deadline: Deadline) throws(SQLFailure) {
        var state = PQstatus(connection.handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard state != PGRES_POLLING_FAILED else {
                throw SQLFailure(.connection, "\(connection.errorMessage) (\(name))")
            }
            let events = state == PGRES_POLLING_READING ? Readiness.read : Readiness.write
            guard Readiness.wait(for: events, on: PQsocket(connection.handle), until: deadline) else {
                throw unanswered(deadline)
            }
            state = PQconnectPoll(connection.handle)
        }
        PQsetnonblocking(connection.handle, 1)
    }

    /// Results are read in these forms.
    private func prepareSession(_ connection: PostgreSQLConnection, _ deadline: Deadline) throws(SQLFailure) {
        var settings = [("DateStyle", "ISO"), ("TimeZone", "UTC"), ("bytea_output", "hex")]
        if let schema { settings.append(("search_path", schema)) }
        let calls = settings.indices.map { "set_config($\($0 * 2 + 1), $\($0 * 2 + 2), false)" }
        _ = try connection.query(
            "SELECT \(calls.joined(separator: ", "))", settings.flatMap { [.text($0.0), .text($0.1)] },
            PostgreSQLConnection.Limits(deadline: deadline, maximumResultSize: 1 << 20))
    }

    /// libpq's parameters from those of the JDBC driver, as far as both have them.
    private static func parameters(_ address: ServerAddress) -> [String: String] {
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
