import Databases
import Foundation
import TestSupport
import Testing

@Suite("PostgreSQL's values", .onOwnThreads)
struct PostgreSQLValueTests {
    let database: SQLDataSource

    init() throws {
        database = try DatabaseServer.postgreSQL().source("postgresql", database: "postgres")
    }

    @Test(
        "Each type arrives in the form that JSON has for it",
        arguments: [
            ("NULL::int", SQLValue.null), ("true", .bool(true)), ("42::smallint", .integer(42)),
            ("9223372036854775807", .integer(.max)), ("0.1::real", .real(0.1)), ("1.5::float8", .real(1.5)),
            ("12.50::numeric(9,2)", .decimal("12.50")), ("'NaN'::numeric", .decimal("NaN")),
            ("'Zoë 🐘'", .text("Zoë 🐘")),
            ("'2024-02-29'::date", .day("2024-02-29")), ("'13:05:06'::time", .time("13:05:06")),
            ("'2024-02-29 23:59:58.1239'::timestamp", .timestamp("2024-02-29T23:59:58.123Z")),
            ("'2024-01-01 00:30:00+02'::timestamptz", .timestamp("2023-12-31T22:30:00.000Z")),
            ("'infinity'::timestamp", .timestamp("infinity")), ("'\\x00ff10'::bytea", .bytes([0, 255, 16])),
            ("ARRAY[1,2]", .text("{1,2}")), ("'{\"a\": 1}'::jsonb", .text("{\"a\": 1}")),
            ("'c0ffee00-0000-0000-0000-000000000001'::uuid", .text("c0ffee00-0000-0000-0000-000000000001")),
        ])
    func types(expression: String, expected: SQLValue) throws {
        #expect(try database.row("SELECT \(expression) AS v") == [expected])
    }

    @Test(
        "A string is taken as its column's type, since scripts pass strings for everything",
        arguments: [
            ("integer", SQLValue.text("7"), SQLValue.integer(7)), ("integer", .real(3.0), .integer(3)),
            ("bigint", .integer(9_007_199_254_740_993), .integer(9_007_199_254_740_993)),
            ("numeric(9,2)", .text("1.5"), .decimal("1.50")), ("numeric", .real(0.1), .decimal("0.1")),
            ("boolean", .bool(true), .bool(true)), ("boolean", .text("false"), .bool(false)),
            ("date", .text("2024-02-29"), .day("2024-02-29")), ("text", .integer(5), .text("5")),
            ("bytea", .bytes([1, 0, 254]), .bytes([1, 0, 254])), ("float8", .real(1e300), .real(1e300)),
            ("timestamptz", .instant(Date(timeIntervalSince1970: 1.25)), .timestamp("1970-01-01T00:00:01.250Z")),
            ("timestamp", .instant(Date(timeIntervalSince1970: -0.5)), .timestamp("1969-12-31T23:59:59.500Z")),
            ("date", .instant(Date(timeIntervalSince1970: 86_400)), .day("1970-01-02")),
            ("integer", .null, .null), ("text", .text(""), .text("")),
        ])
    func parameters(type: String, parameter: SQLValue, expected: SQLValue) throws {
        let table = uniqueName()
        try database.change("CREATE TABLE \(table) (v \(type))")
        #expect(try database.change("INSERT INTO \(table) VALUES (?)", parameter) == 1)
        #expect(try database.row("SELECT v FROM \(table)") == [expected])
    }

    @Test("NaN and Infinity come back as strings that JavaScript reads as numbers, and work as parameters")
    func notFinite() throws {
        let table = uniqueName()
        try database.change("CREATE TABLE \(table) (r real, d float8, n numeric)")
        for text in ["NaN", "Infinity", "-Infinity"] {
            let number = SQLValue.real(text == "NaN" ? .nan : text == "Infinity" ? .infinity : -.infinity)
            for parameter in [number, .text(text)] {
                try database.change("DELETE FROM \(table)")
                try database.change("INSERT INTO \(table) VALUES (?, ?, ?)", parameter, parameter, parameter)
                #expect(
                    try database.json("SELECT * FROM \(table)")
                        == #"[{"r":"\#(text)","d":"\#(text)","n":"\#(text)"}]"#)
            }
        }
    }

    @Test(
        "A row's date or time works as a parameter", arguments: ["timestamp", "timestamptz", "date", "time"])
    func writtenBack(type: String) throws {
        let table = uniqueName()
        try database.change("CREATE TABLE \(table) (v \(type))")
        try database.change("INSERT INTO \(table) VALUES ('2024-02-29 23:59:58.123')")
        let text = try #require(try database.json("SELECT v FROM \(table)").wholeMatch(of: /\[{"v":"(.*)"}\]/)).1
        #expect(try database.change("UPDATE \(table) SET v = ? WHERE v = ?", .text("\(text)"), .text("\(text)")) == 1)
        #expect(try database.json("SELECT v FROM \(table)") == #"[{"v":"\#(text)"}]"#)
    }

    @Test("Exact numbers are strings with all digits, on demand")
    func exactNumbers() throws {
        let exact = try DatabaseServer.postgreSQL().source(
            "postgresql", database: "postgres", connections: 1, exactNumbers: true)
        #expect(
            try exact.json(
                "SELECT 9007199254740993 AS a, 12345678901234567890.10 AS b, 1 AS c, 0.5::float8 AS d, 'NaN'::numeric AS e"
            )
                == #"[{"a":"9007199254740993","b":"12345678901234567890.10","c":1,"d":0.5,"e":"NaN"}]"#)
        let name = uniqueName("f")
        try exact.change("CREATE FUNCTION \(name)(a bigint) RETURNS bigint LANGUAGE sql AS 'SELECT a'")
        let result = try exact.call(procedure: name, parameters: [.text("9007199254740993")], deadline: .noLimit)
        #expect(result.json == #"[{"\#(name)":"9007199254740993"}]"#)
    }

    @Test("A string for an integer column that is not a number is the database's error, with its code")
    func wrongType() throws {
        let failure = try database.failure("SELECT 1 WHERE 1 = ?", .text("one"))
        #expect(failure.kind == .statement)
        #expect(failure.sqlState == "22P02")
        #expect(failure.message.hasPrefix("invalid input syntax for type integer: \"one\""))
    }

    @Test("A parameter at an untyped position is taken by its own type")
    func untypedPlace() throws {
        let row = try database.row("SELECT concat(?, ?, ?) AS a", .text("x"), .real(3), .bool(true))
        #expect(row == [.text("x3t")])
    }

    @Test("A NUL character in a parameter is refused, naming the parameter")
    func nul() throws {
        #expect(
            try database.failure("SELECT ?::text, ?::text", .text("a"), .text("a\0b")).message.contains("parameter 2"))
    }

    @Test("The last of several columns with one label sets the value")
    func duplicates() throws {
        #expect(try database.json("SELECT 1 AS a, 2 AS b, 3 AS a") == #"[{"a":3,"b":2}]"#)
    }

    @Test("A result without rows is an empty array")
    func noRows() throws {
        #expect(try database.json("SELECT 1 AS a WHERE false") == "[]")
    }

    @Test("Strings of a database in another encoding arrive as Unicode")
    func encoding() throws {
        let name = uniqueName("latin")
        try database.change("CREATE DATABASE \(name) ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        let latin = try DatabaseServer.postgreSQL().source("postgresql", database: name)
        #expect(
            try latin.row("SELECT ?::text AS v, octet_length(?::text) AS n", .text("Zoë"), .text("Zoë")) == [
                .text("Zoë"), .integer(3),
            ])
    }

    @Test("a large result arrives whole")
    func large() throws {
        let count = TestExtent.size(5000, full: 50_000)
        let rows = try #require(
            try database.execute(
                "SELECT n, repeat('x', 1000) AS t FROM generate_series(1, \(count)) AS n", deadline: .noLimit
            ).resultSet)
        try #require(rows.count == count)
        #expect(rows[count - 1].first == .integer(Int64(count)))
        var json: [UInt8] = []
        rows.appendJSON(to: &json)
        #expect(json.count > count * 1000)
    }

    @Test("A result beyond the limit is an error, and the next statement works")
    func tooLarge() throws {
        let small = try DatabaseServer.postgreSQL().source(
            "postgresql", database: "postgres", connections: 1, maximumResultSize: 100_000)
        let failure = try small.failure("SELECT repeat('x', 1000) FROM generate_series(1, 1000000)")
        #expect(failure.kind == .resultTooLarge)
        #expect(try small.row("SELECT 1 AS a") == [.integer(1)])
    }
}
