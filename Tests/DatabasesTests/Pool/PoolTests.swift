import Databases
import TestSupport
import Testing

@Suite("The pool of connections", .onOwnThreads)
struct PoolTests {
    let server: DatabaseServer
    let database: SQLDataSource

    init() throws {
        server = try DatabaseServer.postgreSQL()
        database = try server.source("postgresql", database: "postgres")
    }

    /// Holds an advisory lock's waiters: a statement that takes the lock runs until `release`.
    private func isWaiting(_ lock: Int64, count: Int64 = 1) throws -> Bool {
        try database.row(
            "SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND objid = ?::bigint AND NOT granted",
            .integer(lock)) == [.integer(count)]
    }

    private static func newLock() -> Int64 { Int64.random(in: 1...1_000_000_000) }

    /// Makes a pool of one connection that is in use until `holder` ends.
    private func held() throws -> (holder: SQLLease, pool: SQLDataSource, statement: Background<String>) {
        let lock = Self.newLock()
        let holder = try server.source("postgresql", database: "postgres", connections: 1).lease()
        let pool = try server.source("postgresql", database: "postgres", connections: 1)
        _ = try holder.json("SELECT pg_advisory_lock(?)::text AS l", .integer(lock))
        let statement = Background { try pool.json("SELECT pg_advisory_lock(?)::text AS l", .integer(lock)) }
        try wait { try isWaiting(lock) }
        return (holder, pool, statement)
    }

    @Test("The deadline ends the wait for a busy connection, with the number of connections")
    func exhausted() throws {
        let lock = Self.newLock()
        let holder = try server.source("postgresql", database: "postgres", connections: 1).lease()
        let pool = try server.source("postgresql", database: "postgres", connections: 2)
        // A session lock: the holder keeps it between its statements.
        _ = try holder.json("SELECT pg_advisory_lock(?)::text AS l", .integer(lock))
        let waiting = (1...2).map { _ in
            Background { try pool.json("SELECT pg_advisory_lock_shared(?)::text AS l", .integer(lock)) }
        }
        try wait { try isWaiting(lock, count: 2) }
        let failure = try pool.failure("SELECT 1", within: .milliseconds(200))
        #expect(failure.kind == .poolExhausted)
        #expect(failure.message.contains("2 of 2 are in use"))
        _ = try holder.json("SELECT pg_advisory_unlock(?) AS l", .integer(lock))
        for one in waiting { _ = try one.value() }
        #expect(try pool.row("SELECT 1 AS a") == [.integer(1)])
    }

    @Test("A waiter gets the connection that comes back")
    func handedOver() throws {
        let (holder, pool, first) = try held()
        let second = Background { try pool.row("SELECT 2 AS a") }
        holder.end()
        _ = try first.value()
        #expect(try second.value() == [.integer(2)])
    }

    @Test("Many threads share few connections, and each gets its own result")
    func many() throws {
        let pool = try server.source("postgresql", database: "postgres", connections: 3)
        let threads = (1...20).map { thread in
            Background {
                try (1...20).allSatisfy { turn in
                    try pool.row("SELECT ?::int * 1000 + ?::int AS a", .real(Double(thread)), .text("\(turn)"))
                        == [.integer(Int64(thread * 1000 + turn))]
                }
            }
        }
        for thread in threads { #expect(try thread.value()) }
    }

    @Test("A closed data source fails, and the server sees its connections go")
    func closed() throws {
        let pool = try server.source("postgresql", database: "postgres", connections: 1)
        let process = try pool.row("SELECT pg_backend_pid() AS p")[0]
        pool.close()
        #expect(try pool.failure("SELECT 1").kind == .closed)
        try wait {
            try database.row("SELECT count(*) AS n FROM pg_stat_activity WHERE pid = ?", process) == [.integer(0)]
        }
    }

    @Test("A waiter gets an error when the data source closes")
    func closedWhileWaiting() throws {
        let (holder, pool, first) = try held()
        let second = Background { try pool.failure("SELECT 2") }
        pool.close()
        #expect(try second.value().kind == .closed)
        holder.end()
        #expect(try first.value() == #"[{"l":""}]"#)
    }
}
