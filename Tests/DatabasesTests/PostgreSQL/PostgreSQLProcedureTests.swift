import Databases
import TestSupport
import Testing

@Suite("PostgreSQL's functions and procedures", .onOwnThreads)
struct PostgreSQLProcedureTests {
    let database: SQLDataSource
    let name = uniqueName("p")

    init() throws {
        database = try DatabaseServer.postgreSQL().source("postgresql", database: "postgres")
    }

    private func call(_ parameters: SQLValue..., name other: String? = nil) throws -> SQLResult {
        try database.call(procedure: other ?? name, parameters: parameters, deadline: .noLimit)
    }

    @Test("A function's value is a row of one column")
    func scalar() throws {
        try database.change(
            "CREATE FUNCTION \(name)(a int, b int DEFAULT 10) RETURNS int LANGUAGE sql AS 'SELECT a + b'")
        #expect(try call(.text("1"), .real(2)).json == #"[{"\#(name)":3}]"#)
        #expect(try call(.integer(1)).json == #"[{"\#(name)":11}]"#)
    }

    @Test("A function that returns a set returns its rows")
    func set() throws {
        try database.change(
            "CREATE FUNCTION \(name)(n int) RETURNS TABLE (a int, b text) LANGUAGE sql AS $$SELECT i, 'x' || i FROM generate_series(1, n) i$$"
        )
        #expect(try call(.integer(2)).json == #"[{"a":1,"b":"x1"},{"a":2,"b":"x2"}]"#)
    }

    @Test("A function's OUT parameters are a row, whether the script passes values for them or not")
    func functionOut() throws {
        try database.change(
            "CREATE FUNCTION \(name)(a int, OUT d int, OUT t int) LANGUAGE sql AS 'SELECT a * 2, a * 3'")
        #expect(try call(.integer(2)).json == #"[{"d":4,"t":6}]"#)
        #expect(try call(.integer(2), .null, .null).json == #"[{"d":4,"t":6}]"#)
    }

    @Test("A procedure's OUT and INOUT parameters are a row")
    func procedureOut() throws {
        try database.change(
            "CREATE PROCEDURE \(name)(a int, INOUT b int, OUT c text) LANGUAGE plpgsql AS $$BEGIN b := a + b; c := 'done'; END$$"
        )
        #expect(try call(.integer(2), .integer(3)).json == #"[{"b":5,"c":"done"}]"#)
        #expect(try call(.integer(2), .integer(3), .text("")).json == #"[{"b":5,"c":"done"}]"#)
    }

    @Test("A procedure without OUT parameters, and a function of void, have no result set")
    func void() throws {
        try database.change("CREATE PROCEDURE \(name)(a text) LANGUAGE plpgsql AS 'BEGIN END'")
        try database.change("CREATE FUNCTION \(name)_f(a text) RETURNS void LANGUAGE plpgsql AS 'BEGIN END'")
        #expect(try call(.text("x")) == SQLResult(updateCount: 0))
        #expect(try call(.text("x"), name: "\(name)_f") == SQLResult(updateCount: 0))
    }

    @Test("A schema and quotes are allowed in the name")
    func qualified() throws {
        try database.change("CREATE FUNCTION public.\"\(name) Q\"() RETURNS int LANGUAGE sql AS 'SELECT 1'")
        #expect(try call(name: "PUBLIC.\"\(name) Q\"").resultSet?.values == [.integer(1)])
    }

    @Test("An unknown name and a wrong number of parameters are errors that say so")
    func unknown() throws {
        #expect(
            throws: SQLStatementError(
                .statement, "PostgreSQL has no procedure or function named nobody", sqlState: "42883")
        ) {
            try call(name: "nobody")
        }
        try database.change("CREATE FUNCTION \(name)(a int) RETURNS int LANGUAGE sql AS 'SELECT a'")
        let failure = try #require(throws: SQLStatementError.self) { try call(.null, .null) }
        #expect(failure.message == "\(name) takes 1 parameters, but 2 were passed")
    }

    @Test(
        "A name that is more than a name is refused",
        arguments: ["p(); DROP TABLE x", "", "a..b", "1a", "\"a", "a b", "a."])
    func badName(name: String) throws {
        let failure = try #require(throws: SQLStatementError.self) { try call(name: name) }
        #expect(failure.message.contains("is not the name of a stored procedure"))
    }
}
