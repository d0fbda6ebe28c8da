import Databases
import Foundation
import Synchronization
import TestSupport
import Testing

/// Reports that the caller has cancelled: after ``end()``, or after a number of checks.
private final class Patience: Sendable {
    private let left: Mutex<Int>

    init(looks: Int = .max) { left = Mutex(looks) }

    func end() { left.withLock { $0 = 0 } }

    var isOver: Bool {
        left.withLock { left in
            left = max(0, left - 1)
            return left == 0
        }
    }
}

@Suite("Cancelled statements", .onOwnThreads, .defaultTimeLimit)
struct CancelledStatementTests {
    private func failure(
        _ database: SQLDataSource, _ sql: String, _ patience: Patience = Patience(looks: 20)
    ) throws -> SQLStatementError {
        try #require(throws: SQLStatementError.self) {
            try database.execute(sql, deadline: .noLimit, isGivenUp: { patience.isOver })
        }
    }

    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0"

    @Test("SQLite's statement ends, and the next one has its connection")
    func sqlite() throws {
        let database = try source("jdbc:sqlite::memory:")
        #expect(try failure(database, Self.endless).kind == .timeout)
        #expect(try database.row("SELECT 1 AS a") == [.integer(1)])
    }

    @Test("SQLite's statement that another's lock keeps waiting ends")
    func locked() throws {
        let folder = try TemporaryFolder()
        let holder = try source("jdbc:sqlite:a.db", connections: 1, folder: folder.url)
        let database = try source("jdbc:sqlite:a.db", connections: 1, folder: folder.url)
        try holder.change("CREATE TABLE t (a)")
        let patience = Patience()
        let busy = Background { try self.failure(holder, "INSERT INTO t \(Self.endless)", patience) }
        try wait {
            let failure = Result { try database.execute("UPDATE t SET a = 1", deadline: .milliseconds(50)) }
            guard case .failure(let failure as SQLStatementError) = failure else { return false }
            return failure.message.hasPrefix("database is locked")
        }
        #expect(try failure(database, "UPDATE t SET a = 1").kind == .timeout)
        patience.end()
        #expect(try busy.value().kind == .timeout)
        #expect(try database.change("UPDATE t SET a = 1") == 0)
    }

    @Test(
        "A server's statement ends, in the server as well, and so does the wait for a connection",
        arguments: [
            (
                "postgresql", "pg_sleep(86400)::text",
                "pg_stat_activity WHERE query LIKE ? AND state = 'active' AND pid <> pg_backend_pid()"
            ),
            ("mariadb", "SLEEP(86400)", "information_schema.processlist WHERE info LIKE ? AND id <> connection_id()"),
        ])
    func server(kind: String, sleep: String, statements: String) throws {
        let server = try kind == "mariadb" ? DatabaseServer.mariaDB() : DatabaseServer.postgreSQL()
        let name = kind == "mariadb" ? "books" : "postgres"
        let (database, other) = (
            try server.source(kind, database: name, connections: 1),
            try server.source(kind, database: name, connections: 1)
        )
        let mark = uniqueName("mark")
        let patience = Patience()
        let busy = Background { try self.failure(database, "SELECT \(sleep) AS \(mark)", patience) }
        let running = {
            try other.row("SELECT count(*) AS n FROM \(statements)", .text("%\(mark)%"))
        }
        // An earlier cancellation would cancel the connecting, which is another failure.
        try wait { try running() == [.integer(1)] }
        #expect(try failure(database, "SELECT 1").kind == .poolExhausted)
        patience.end()
        #expect(try busy.value().kind == .timeout)
        try wait { try running() == [.integer(0)] }
        #expect(try database.row("SELECT 1 AS a") == [.integer(1)])
    }
}
