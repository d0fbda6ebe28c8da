import Databases
import Foundation
import TestSupport
import Testing

@Suite("MariaDB through ODBC", .onOwnThreads)
struct MariaDBTests {
    let server: DatabaseServer
    let database: SQLDataSource

    init() throws {
        server = try DatabaseServer.mariaDB()
        database = try server.source("mysql", database: "books")
    }

    @Test("values come under the right names after a table's columns have changed their order")
    func changedOrder() throws {
        let one = try server.source("mysql", database: "books", connections: 1)
        let table = uniqueName()
        try one.change("CREATE TABLE \(table) (name varchar(9), secret varchar(9))")
        try one.change("INSERT INTO \(table) VALUES ('ann', 's3cret')")
        let select = "SELECT * FROM \(table)"
        for _ in 0..<6 { #expect(try one.json(select) == #"[{"name":"ann","secret":"s3cret"}]"#) }
        try one.change("ALTER TABLE \(table) MODIFY secret varchar(20) FIRST")
        for _ in 0..<2 { #expect(try one.json(select) == #"[{"secret":"s3cret","name":"ann"}]"#) }
    }

    @Test(
        "Each type arrives in the form that JSON has for it",
        arguments: [
            ("int", SQLValue.integer(-42), SQLValue.integer(-42)), ("int", .text("7"), .integer(7)),
            ("int", .real(3), .integer(3)),
            ("bigint", .integer(.max), .integer(.max)),
            ("bigint unsigned", .decimal("18446744073709551615"), .decimal("18446744073709551615")),
            ("decimal(9,2)", .text("12.5"), .decimal("12.50")), ("double", .real(0.1), .real(0.1)),
            ("float", .real(0.1), .real(0.1)), ("boolean", .bool(true), .bool(true)),
            ("varchar(100)", .text("Zoë 🐘 'x' \\ ?"), .text("Zoë 🐘 'x' \\ ?")), ("varchar(10)", .text(""), .text("")),
            ("varchar(10)", .integer(5), .text("5")), ("text", .null, .null), ("int", .null, .null),
            ("date", .text("2024-02-29"), .day("2024-02-29")), ("time", .text("13:05:06"), .time("13:05:06")),
            ("datetime(3)", .instant(Date(timeIntervalSince1970: 1.25)), .timestamp("1970-01-01T00:00:01.250Z")),
            ("datetime(3)", .text("2024-02-29 23:59:58.123"), .timestamp("2024-02-29T23:59:58.123Z")),
            ("timestamp", .instant(Date(timeIntervalSince1970: 1_700_000_000)), .timestamp("2023-11-14T22:13:20.000Z")),
            ("varbinary(100)", .bytes([0, 255, 16]), .bytes([0, 255, 16])), ("longblob", .bytes([]), .bytes([])),
            ("bit(1)", .bool(true), .bool(true)), ("int unsigned", .integer(4_294_967_295), .integer(4_294_967_295)),
            ("year", .integer(2024), .integer(2024)), ("enum('a','b')", .text("b"), .text("b")),
            ("json", .text(#"{"a": 1}"#), .text(#"{"a": 1}"#)),
        ])
    func types(type: String, parameter: SQLValue, expected: SQLValue) throws {
        let table = uniqueName()
        try database.change("CREATE TABLE \(table) (v \(type) NULL)")
        #expect(try database.change("INSERT INTO \(table) VALUES (?)", parameter) == 1)
        #expect(try database.row("SELECT v FROM \(table)") == [expected])
    }

    @Test(
        "Long strings and blobs arrive whole, also when they are read in pieces",
        arguments: [1022, 1023, 1024, 1025, 100_000, 5_000_000])
    func long(count: Int) throws {
        let text = String(repeating: "é🐘", count: count / 3) + "end"
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try database.row("SELECT ? AS a", .text(text)) == [.text(text)])
        #expect(try database.row("SELECT CAST(? AS BINARY) AS a", .bytes(bytes)) == [.bytes(bytes)])
    }

    @Test("INSERT, UPDATE and DELETE return the number of changed rows, DDL returns 0")
    func updateCounts() throws {
        let table = uniqueName()
        #expect(try database.change("CREATE TABLE \(table) (a int)") == 0)
        #expect(try database.change("INSERT INTO \(table) VALUES (?), (?)", .integer(1), .text("2")) == 2)
        #expect(try database.change("UPDATE \(table) SET a = a + 1") == 2)
        #expect(try database.change("DELETE FROM \(table) WHERE a = 99") == 0)
    }

    @Test(
        "A parameter is never read as SQL",
        arguments: ["'; DROP TABLE users; -- ", "' OR '1'='1", "\\' OR 1=1 #", "?", "\\"])
    func injection(text: String) throws {
        #expect(try database.row("SELECT ? AS a, 'x?' AS b", .text(text)) == [.text(text), .text("x?")])
        #expect(try database.json("SELECT 1 AS a FROM dual WHERE 'secret' = ?", .text(text)) == "[]")
    }

    @Test("Fewer parameters than placeholders are an error with both numbers")
    func parameterCount() throws {
        let failure = try database.failure("SELECT ?, '?'")
        #expect(failure.message == "the statement has 1 placeholder (?), but 0 parameters were given")
    }

    @Test("Parameters beyond the placeholders are ignored")
    func surplusParameters() throws {
        let result = try database.execute(
            "SELECT ? AS a, '?' AS b", parameters: [.integer(1), .null, .text("x")], deadline: .noLimit)
        #expect(result.json == #"[{"a":1,"b":"?"}]"#)
        #expect(result.surplusParameters == 2)
        #expect(try database.row("SELECT 1 AS a", .null) == [.integer(1)])
    }

    @Test(
        "A procedure called with another number of parameters than it has is the database's error", arguments: [0, 2])
    func procedureParameterCount(count: Int) throws {
        let name = uniqueName("p")
        try database.change("CREATE PROCEDURE \(name)(a int) SELECT a")
        let failure = try #require(throws: SQLStatementError.self) {
            try database.call(
                procedure: name, parameters: Array(repeating: .integer(1), count: count), deadline: .noLimit)
        }
        #expect(
            failure.message == "Incorrect number of arguments for PROCEDURE books.\(name); expected 1, got \(count)")
    }

    @Test("a failure has the database's message and code")
    func databaseMessage() throws {
        let failure = try database.failure("SELECT * FROM no_such_table")
        #expect(
            failure == SQLStatementError(.statement, "Table 'books.no_such_table' doesn't exist", sqlState: "42S02"))
    }

    @Test("A number of LIMIT may be a parameter")
    func limit() throws {
        #expect(try database.json("SELECT 1 AS a UNION SELECT 2 LIMIT ?", .real(1)) == #"[{"a":1}]"#)
    }

    @Test("A procedure returns its first result set; the others are dropped and the connection stays usable")
    func procedure() throws {
        let single = try server.source("mysql", database: "books", connections: 1)
        let name = uniqueName("p")
        try single.change("CREATE PROCEDURE \(name)(a int, b text) BEGIN SELECT a + 1 AS x, b AS y; SELECT 2 AS z; END")
        let result = try single.call(procedure: name, parameters: [.text("1"), .text("q")], deadline: .noLimit)
        #expect(result.json == #"[{"x":2,"y":"q"}]"#)
        #expect(try single.row("SELECT 1 AS a") == [.integer(1)])
    }

    @Test("A procedure without a result set returns the update count")
    func procedureUpdate() throws {
        let (name, table) = (uniqueName("p"), uniqueName())
        try database.change("CREATE TABLE \(table) (a int)")
        try database.change("CREATE PROCEDURE \(name)() INSERT INTO \(table) VALUES (1), (2)")
        #expect(try database.call(procedure: name, parameters: [], deadline: .noLimit) == SQLResult(updateCount: 2))
    }

    @Test("A procedure's OUT parameters are the result set when it returns none itself")
    func procedureOut() throws {
        let name = uniqueName("p")
        try database.change(
            "CREATE PROCEDURE \(name)(IN a int, OUT b int, INOUT c int) BEGIN SET b = a + 1; SET c = c * 2; END")
        let result = try database.call(
            procedure: name, parameters: [.integer(1), .null, .integer(4)], deadline: .noLimit)
        #expect(result.json == #"[{"b":2,"c":8}]"#)
    }

    @Test("An empty statement is an error")
    func empty() throws {
        #expect(try database.failure("").kind == .statement)
    }

    @Test("An unknown procedure is the database's error")
    func unknownProcedure() throws {
        let failure = try #require(throws: SQLStatementError.self) {
            try database.call(procedure: "nobody", parameters: [], deadline: .noLimit)
        }
        #expect(failure.message == "PROCEDURE books.nobody does not exist")
    }

    @Test("A transaction that a statement or procedure leaves open is rolled back", arguments: [true, false])
    func openTransaction(inProcedure: Bool) throws {
        let single = try server.source("mysql", database: "books", connections: 1)
        let (name, table) = (uniqueName("p"), uniqueName())
        try single.change("CREATE TABLE \(table) (a int)")
        if inProcedure {
            try single.change(
                "CREATE PROCEDURE \(name)() BEGIN START TRANSACTION; INSERT INTO \(table) VALUES (1); END")
            _ = try single.call(procedure: name, parameters: [], deadline: .noLimit)
            #expect(try single.json("SELECT a FROM \(table)") == "[]")
        } else {
            try single.change("START TRANSACTION")
            try single.change("INSERT INTO \(table) VALUES (1)")
            #expect(try database.json("SELECT a FROM \(table)") == #"[{"a":1}]"#)
        }
    }

    @Test("a large result arrives whole")
    func large() throws {
        let count = TestExtent.size(5000, full: 50_000)
        let rows = try #require(
            try database.execute("SELECT seq AS n, repeat('x', 1000) AS t FROM seq_1_to_\(count)", deadline: .noLimit)
                .resultSet)
        try #require(rows.count == count)
        #expect(rows[count - 1].first == .integer(Int64(count)))
    }

    @Test("A result beyond the limit is an error, and the next statement works")
    func tooLarge() throws {
        let small = try server.source("mysql", database: "books", connections: 1, maximumResultSize: 100_000)
        #expect(try small.failure("SELECT repeat('x', 1000) AS t FROM seq_1_to_50000").kind == .resultTooLarge)
        #expect(try small.row("SELECT 1 AS a") == [.integer(1)])
    }
}
