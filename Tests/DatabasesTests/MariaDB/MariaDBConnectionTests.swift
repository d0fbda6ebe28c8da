import Databases
import Foundation
import TestSupport
import Testing

@Suite("ODBC's connections", .onOwnThreads)
struct MariaDBConnectionTests {
    let server: DatabaseServer
    let database: SQLDataSource

    init() throws {
        server = try DatabaseServer.mariaDB()
        database = try server.source("mariadb", database: "books")
    }

    private func running(_ mark: String) throws -> SQLValue? {
        let rows = try database.execute(
            "SELECT id FROM information_schema.processlist WHERE info LIKE ? AND id <> connection_id()",
            parameters: [.text("%\(mark)%")], deadline: .noLimit
        ).resultSet
        return rows?.values.first
    }

    @Test("A statement that takes too long ends at the deadline, here and on the server")
    func timeout() throws {
        let mark = uniqueName()
        // If the process is slow, the time may be over before the statement begins, which is another failure.
        try wait {
            // Connects, for which the time is not meant.
            _ = try database.row("SELECT 1 AS a")
            let failure = try database.failure("SELECT SLEEP(86400) AS \(mark)", within: .milliseconds(300))
            #expect(failure.message.contains("within 0.3 s"))
            return failure.kind == .timeout
        }
        try wait { try running(mark) == nil }
        #expect(try database.row("SELECT 1 AS a") == [.integer(1)])
    }

    @Test("A server that hangs in mid-statement ends at the deadline, and the pool recovers when it is back", .long)
    func hangingServer() throws {
        let own = try DatabaseServer.newMariaDB()
        let number = try String(contentsOf: own.folder.appending(path: "pid"), encoding: .utf8)
        let process = try #require(pid_t(number.trimmingCharacters(in: .whitespacesAndNewlines)))
        let pool = try own.source("mysql", database: "books", connections: 1)
        let watch = try own.source("mysql", database: "books", connections: 1)
        for source in [pool, watch] { _ = try source.row("SELECT 1 AS a") }
        // So long that the server is stopped in mid-statement, however busy the machine is.
        let asleep = Background { try pool.failure("SELECT SLEEP(600) AS s", within: .seconds(60)) }
        let asks = "SELECT count(*) AS n FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%'"
        try wait { try watch.row(asks) == [.integer(1)] }
        kill(process, SIGSTOP)
        #expect(try asleep.value().kind == .timeout)
        #expect(try pool.failure("SELECT 1", within: .milliseconds(300)).kind == .connection)
        kill(process, SIGCONT)
        #expect(try pool.row("SELECT 1 AS a") == [.integer(1)])
    }

    @Test("The server sees the connections of a closed data source go")
    func closed() throws {
        let single = try server.source("mysql", database: "books", connections: 1)
        let id = try single.row("SELECT connection_id() AS i")[0]
        single.close()
        #expect(try single.failure("SELECT 1").kind == .closed)
        let asks = "SELECT id FROM information_schema.processlist WHERE id = ?"
        try wait { try database.json(asks, id) == "[]" }
    }

    @Test("A connection that breaks in mid-statement is an error, and the pool recovers")
    func killed() throws {
        let single = try server.source("mysql", database: "books", connections: 1)
        let mark = uniqueName()
        let asleep = Background { try single.failure("SELECT SLEEP(86400) AS \(mark)") }
        try wait { try running(mark) != nil }
        let id = try #require(try running(mark))
        try database.change("KILL ?", id)
        let failure = try asleep.value()
        #expect(failure.kind == .connection)
        #expect(try single.row("SELECT 1 AS a") == [.integer(1)])
    }

    @Test("An idle connection that the server closed is replaced without an error")
    func deadIdle() throws {
        let single = try server.source("mysql", database: "books", connections: 1)
        let id = try single.row("SELECT connection_id() AS i")[0]
        try database.change("KILL ?", id)
        try wait {
            try database.json("SELECT id FROM information_schema.processlist WHERE id = ?", id) == "[]"
        }
        #expect(try single.row("SELECT connection_id() AS i")[0] != id)
    }

    @Test("Many threads share few connections, and each gets its own result")
    func many() throws {
        let pool = try server.source("mysql", database: "books", connections: 6)
        let threads = (1...20).map { (thread: Int64) in
            Background {
                try (1...10).allSatisfy { (turn: Int64) throws -> Bool in
                    let row = try pool.row("SELECT ? * 1000 + ? AS a", .integer(thread), .integer(turn))
                    return row == [.integer(thread * 1000 + turn)]
                }
            }
        }
        for thread in threads { #expect(try thread.value()) }
    }

    @Test("Statements that end just around their deadline leave the pool in order")
    func aroundTheDeadline() throws {
        let pool = try server.source("mysql", database: "books", connections: 6)
        let threads = (1...6).map { thread in
            Background {
                for turn in 1...20 {
                    let deadline = Duration.microseconds(1000 * turn + 137 * thread)
                    let result = Result { try pool.execute("SELECT seq FROM seq_1_to_2000", deadline: deadline) }
                    if case .failure(let failure as SQLStatementError) = result, failure.kind == .statement {
                        throw failure
                    }
                }
            }
        }
        for thread in threads { try thread.value() }
        #expect(try pool.row("SELECT 1 AS a") == [.integer(1)])
    }

    @Test("A connection is used again")
    func reuse() throws {
        let single = try server.source("mysql", database: "books", connections: 1)
        #expect(try single.row("SELECT connection_id() AS i") == single.row("SELECT connection_id() AS i"))
    }

    @Test("A refused login is a connection failure without the password")
    func wrongPassword() throws {
        let failure = try server.source("mysql", database: "books", password: "wrong-password").failure("SELECT 1")
        #expect(failure.kind == .connection)
        #expect(failure.message.hasPrefix("Access denied for user 'lamp'"))
        #expect(!"\(failure)".contains("wrong-password"))
    }

    @Test("A refused connection is an error")
    func refused() throws {
        let failure = try source("jdbc:mysql://127.0.0.1:\(closedPort)/db").failure("SELECT 1")
        #expect(failure.kind == .connection)
    }

    @Test("A server that accepts and stays silent ends at the deadline")
    func silent() throws {
        let listener = try Listener()
        let failure = try source("jdbc:mysql://127.0.0.1:\(listener.port)/db").failure(
            "SELECT 1", within: .milliseconds(300))
        #expect(failure.kind == .connection)
        #expect(failure.message.contains("did not respond within 0.3 s while connecting"))
    }

    @Test(
        "A missing driver's failure says what to install",
        arguments: [
            ("jdbc:db2://h:50000/D", "Data Server Driver"), ("jdbc:oracle:thin:@h:1521:X", "Instant Client"),
            ("jdbc:sqlserver://h;databaseName=D", "msodbcsql18"), ("jdbc:derby://h/D", "Data Server Driver"),
        ])
    func driverMissing(url: String, advice: String) throws {
        let failure = try source(url).failure("SELECT 1")
        #expect(failure.kind == .driverMissing)
        #expect(failure.message.contains(advice))
        #expect(failure.message.contains("odbcinst") || failure.message.contains("registers"))
    }
}
