import Databases
import Logging
import TestSupport
import Testing

@Suite("PostgreSQL's statements", .onOwnThreads)
struct PostgreSQLStatementTests {
    let database: SQLDataSource

    init() throws {
        database = try DatabaseServer.postgreSQL().source("postgresql", database: "postgres")
    }

    @Test("INSERT, UPDATE and DELETE return the number of changed rows, DDL returns 0")
    func updateCounts() throws {
        let table = uniqueName()
        #expect(try database.change("CREATE TABLE \(table) (a int)") == 0)
        #expect(
            try database.change("INSERT INTO \(table) VALUES (?), (?), (?)", .integer(1), .text("2"), .real(3)) == 3)
        #expect(try database.change("UPDATE \(table) SET a = a + 1 WHERE a > ?", .integer(1)) == 2)
        #expect(try database.change("DELETE FROM \(table) WHERE a = 99") == 0)
        #expect(try database.json("DELETE FROM \(table) WHERE a = 1 RETURNING a") == #"[{"a":1}]"#)
    }

    @Test(
        "A parameter is never read as SQL",
        arguments: [
            "'; DROP TABLE users; --", "' OR '1'='1", "\\'; SELECT 1; --", "$1", "?", "\"", "a\u{2019}b", "%s%n",
        ])
    func injection(text: String) throws {
        #expect(try database.row("SELECT ?::text AS a, 'x?' AS b", .text(text)) == [.text(text), .text("x?")])
        #expect(try database.json("SELECT 1 AS a WHERE 'secret' = ?", .text(text)) == "[]")
    }

    /// Returns the statements that the session of a call has prepared.
    private func prepared(_ one: SQLLease) throws -> String {
        try one.json("SELECT statement AS s FROM pg_prepared_statements ORDER BY 1")
    }

    private func one(_ settings: String = "") throws -> SQLDataSource {
        try DatabaseServer.postgreSQL().source(
            "postgresql", database: "postgres", connections: 1, settings: settings)
    }

    @Test("A statement is prepared at its fifth use in a call, and its values are each use's own")
    func preparedAtFifth() throws {
        let one = try one().lease()
        for number in 1...8 {
            #expect(try one.json("SELECT ?::int AS a", .integer(Int64(number))) == #"[{"a":\#(number)}]"#)
            #expect(try prepared(one).contains("$1::int") == (number >= 5))
        }
    }

    @Test("A statement that the session has no more, or whose columns have changed, is run all the same")
    func stale() throws {
        let one = try one("?prepareThreshold=1").lease()
        let table = uniqueName()
        try one.json("CREATE TABLE \(table) (a int)")
        try one.json("INSERT INTO \(table) VALUES (1)")
        #expect(try one.json("SELECT * FROM \(table)") == #"[{"a":1}]"#)
        try one.json("ALTER TABLE \(table) ADD b int DEFAULT 2")
        for _ in 0..<3 { #expect(try one.json("SELECT * FROM \(table)") == #"[{"a":1,"b":2}]"#) }
        try one.json("DEALLOCATE ALL")
        for _ in 0..<3 { #expect(try one.json("SELECT * FROM \(table)") == #"[{"a":1,"b":2}]"#) }
    }

    @Test("two strings that Swift takes for equal are two statements, each with its own user's rows")
    func equivalentTexts() throws {
        let one = try one().lease()
        let (composed, decomposed) = ("Jos\u{E9}", "Jose\u{301}")
        for _ in 0..<6 { #expect(try one.json("SELECT octet_length('\(composed)') AS n") == #"[{"n":5}]"#) }
        for _ in 0..<6 { #expect(try one.json("SELECT octet_length('\(decomposed)') AS n") == #"[{"n":6}]"#) }
    }

    @Test("a CALL that has committed and then fails with 0A000 does not run again")
    func committedCall() throws {
        let one = try one("?prepareThreshold=1")
        let (table, procedure) = (uniqueName(), uniqueName())
        _ = try one.change("CREATE TABLE \(table) (a int)")
        _ = try one.change(
            """
            CREATE PROCEDURE \(procedure)(n int) LANGUAGE plpgsql AS $$BEGIN
            INSERT INTO \(table) VALUES (n); COMMIT; RAISE EXCEPTION 'no' USING ERRCODE = '0A000'; END$$
            """)
        for number in 1...3 {
            _ = try? one.change("CALL \(procedure)(?::int)", .integer(Int64(number)))
            #expect(try one.row("SELECT count(*) AS n FROM \(table)") == [.integer(Int64(number))])
        }
    }

    @Test("A threshold of 0, for poolers, prepares no statement")
    func neverPrepared() throws {
        let one = try one("?prepareThreshold=0").lease()
        for _ in 0..<8 { try one.json("SELECT ?::int AS a", .integer(1)) }
        #expect(try prepared(one) == "[]")
    }

    @Test("A session keeps 32 statements prepared at most")
    func preparedBound() throws {
        let one = try one("?prepareThreshold=1").lease()
        for number in 0..<40 { try one.json("SELECT \(number) AS a") }
        // With the one that asks.
        #expect(try one.json("SELECT count(*)::int AS n FROM pg_prepared_statements") == #"[{"n":33}]"#)
    }

    @Test("A second statement behind a semicolon is refused")
    func twoStatements() throws {
        let failure = try database.failure("SELECT 1; SELECT 2")
        #expect(failure.message.contains("multiple commands"))
    }

    @Test("Parameters beyond the placeholders are ignored")
    func surplusParameters() throws {
        let result = try database.execute(
            "SELECT ?::int AS a, '?' AS b", parameters: [.integer(1), .null, .text("x")], deadline: .noLimit)
        #expect(result.json == #"[{"a":1,"b":"?"}]"#)
        #expect(result.surplusParameters == 2)
        #expect(try database.row("SELECT concat(?) AS a", .text("x"), .text("y")) == [.text("x")])
    }

    @Test("Fewer parameters than placeholders are an error with both numbers")
    func parameterCount() throws {
        let failure = try database.failure("SELECT ?, '?'")
        #expect(failure.message == "the statement has 1 placeholder (?), but 0 parameters were given")
    }

    @Test("a failure has the database's message and code")
    func databaseMessage() throws {
        let failure = try database.failure("SELECT * FROM no_such_table")
        #expect(
            failure == SQLStatementError(.statement, "relation \"no_such_table\" does not exist", sqlState: "42P01"))
    }

    @Test("The doubled question mark is PostgreSQL's operator")
    func operatorEscape() throws {
        #expect(try database.row(#"SELECT '{"a":1}'::jsonb ?? ? AS a"#, .text("a")) == [.bool(true)])
    }

    @Test("A transaction that a statement leaves open is rolled back, with a warning")
    func openTransaction() throws {
        let log = LogRecorder()
        let single = try DatabaseServer.postgreSQL().source(
            "postgresql", database: "postgres", connections: 1, logger: log.logger)
        try single.change("BEGIN")
        #expect(log.text.contains("rolled back"))
        let table = uniqueName()
        try single.change("CREATE TABLE \(table) (a int)")
        #expect(try database.json("SELECT a FROM \(table)") == "[]")
    }

    @Test("COPY to the client is refused and the pool stays usable")
    func copy() throws {
        #expect(try database.failure("COPY (SELECT 1) TO STDOUT").message.contains("COPY"))
        #expect(try database.row("SELECT 1 AS a") == [.integer(1)])
    }

    @Test("An empty statement is an error")
    func empty() throws {
        #expect(try database.failure(" -- nothing").message == "the statement is empty")
    }
}
