import Databases
import Foundation
import TestSupport
import Testing
import WorklightProject

@Suite("PostgreSQL's connections", .onOwnThreads)
struct PostgreSQLConnectionTests {
    let server: DatabaseServer
    let database: SQLDataSource

    init() throws {
        server = try DatabaseServer.postgreSQL()
        database = try server.source("postgresql", database: "postgres")
    }

    private func single() throws -> SQLDataSource {
        try server.source("postgresql", database: "postgres", connections: 1)
    }

    /// Returns whether a session runs a statement that contains `mark`.
    private func running(_ mark: String) throws -> Bool {
        try database.row(
            "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE ? AND state = 'active' AND pid <> pg_backend_pid()",
            .text("%\(mark)%")) != [.integer(0)]
    }

    @Test("A statement that takes too long ends at the deadline, here and on the server")
    func timeout() throws {
        let mark = uniqueName()
        let single = try single()
        // Connects, for which the time is not meant.
        _ = try single.row("SELECT 1 AS a")
        let failure = try single.failure("SELECT pg_sleep(86400) AS \(mark)", within: .milliseconds(300))
        #expect(failure == SQLStatementError(.timeout, "PostgreSQL did not finish the statement within 0.3 s"))
        try wait { try !running(mark) }
    }

    @Test("A server that hangs in mid-statement ends at the deadline, and the pool recovers")
    func hangingServer() throws {
        let single = try single()
        guard case .integer(let process) = try single.row("SELECT pg_backend_pid() AS p")[0] else {
            throw SocketError()
        }
        kill(pid_t(process), SIGSTOP)
        defer { kill(pid_t(process), SIGCONT) }
        #expect(try single.failure("SELECT 1", within: .milliseconds(300)).kind == .timeout)
        #expect(try single.row("SELECT 1 AS a") == [.integer(1)])
    }

    @Test("A connection that breaks in mid-statement is an error with the server's reason, and the pool recovers")
    func terminated() throws {
        let single = try single()
        let mark = uniqueName()
        let asleep = Background { try single.failure("SELECT pg_sleep(86400) AS \(mark)") }
        try wait { try running(mark) }
        _ = try database.json(
            "SELECT pg_terminate_backend(pid) AS t FROM pg_stat_activity WHERE query LIKE ? AND pid <> pg_backend_pid()",
            .text("%\(mark)%"))
        let failure = try asleep.value()
        #expect(failure.kind == .connection)
        #expect(failure.message == "terminating connection due to administrator command")
        #expect(failure.sqlState == "57P01")
        #expect(try single.row("SELECT 1 AS a") == [.integer(1)])
    }

    @Test("An idle connection that the server closed is replaced without an error")
    func deadIdle() throws {
        let single = try single()
        let process = try single.row("SELECT pg_backend_pid() AS p")[0]
        #expect(try database.row("SELECT pg_terminate_backend(?, 600000) AS t", process) == [.bool(true)])
        #expect(try single.row("SELECT pg_backend_pid() AS p")[0] != process)
    }

    @Test("A connection is used again")
    func reuse() throws {
        let single = try single()
        #expect(try single.row("SELECT pg_backend_pid() AS p") == single.row("SELECT pg_backend_pid() AS p"))
    }

    @Test("A refused login is a connection failure without the password")
    func wrongPassword() throws {
        let stranger = try server.source("postgresql", database: "postgres", password: "wrong-password")
        let failure = try stranger.failure("SELECT 1")
        #expect(failure.kind == .connection)
        #expect(failure.message.contains("password authentication failed for user \"lamp\""))
        #expect(!"\(failure)".contains("wrong-password"))
    }

    @Test("A refused connection is an error with the address")
    func refused() throws {
        let port = closedPort
        let failure = try source("jdbc:postgresql://127.0.0.1:\(port)/db").failure("SELECT 1")
        #expect(failure.kind == .connection)
        #expect(failure.message.contains("Connection refused"))
        #expect(failure.message.contains("127.0.0.1:\(port)"))
    }

    @Test("A server that accepts and stays silent ends at the deadline")
    func silent() throws {
        let listener = try Listener()
        let failure = try source("jdbc:postgresql://127.0.0.1:\(listener.port)/db").failure(
            "SELECT 1", within: .milliseconds(300))
        #expect(failure.kind == .connection)
        #expect(failure.message.contains("did not respond within 0.3 s while connecting"))
    }

    @Test("The schema of the URL is the one that names are looked up in")
    func currentSchema() throws {
        let schema = uniqueName("s")
        try database.change("CREATE SCHEMA \(schema)")
        try database.change("CREATE TABLE \(schema).things AS SELECT 1 AS a")
        let url = "jdbc:postgresql://127.0.0.1:\(server.port)/postgres?currentSchema=\(schema)&loglevel=2"
        let inSchema = try SQLDataSource(
            definition: SQLDataSourceDefinition(url: url, user: DatabaseServer.user, password: DatabaseServer.password),
            maxConcurrentConnections: 1, adapter: "Books", folder: server.folder)
        #expect(try inSchema.json("SELECT a FROM things") == #"[{"a":1}]"#)
    }
}
