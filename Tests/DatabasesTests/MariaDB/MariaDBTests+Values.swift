import Databases
import Foundation
import TestSupport
import Testing

extension MariaDBTests {
    @Test(
        "A row's date or time works as a parameter",
        arguments: ["timestamp(3)", "datetime(3)", "date", "time", "varchar(30)"])
    func writtenBack(type: String) throws {
        let table = uniqueName()
        try database.change("CREATE TABLE \(table) (v \(type) NULL)")
        try database.change("INSERT INTO \(table) VALUES ('2024-02-29 23:59:58.123')")
        let value = try database.row("SELECT v FROM \(table)")[0]
        let text: String
        switch value {
        case .timestamp(let read), .day(let read), .time(let read), .text(let read): text = read
        default: throw UnexpectedValueError(value: value)
        }
        #expect(try database.row("SELECT count(*) FROM \(table) WHERE v = ?", .text(text)) == [.integer(1)])
        #expect(try database.change("INSERT INTO \(table) VALUES (?)", .text(text)) == 1)
        #expect(try database.change("UPDATE \(table) SET v = ?", .text(text)) <= 2)
        #expect(try database.json("SELECT DISTINCT v FROM \(table)") == #"[{"v":"\#(text)"}]"#)
    }

    @Test("A string that holds a time stays one in a column of strings")
    func isoTextInText() throws {
        let table = uniqueName()
        try database.change("CREATE TABLE \(table) (v varchar(30))")
        try database.change("INSERT INTO \(table) VALUES (?)", .text("2024-02-29T23:59:58.123Z"))
        #expect(try database.row("SELECT v FROM \(table)") == [.text("2024-02-29T23:59:58.123Z")])
    }

    @Test(
        "A row's time works as a procedure's parameter, and stays a string for a string parameter")
    func procedureParameter() throws {
        let name = uniqueName("p_a")
        try database.change(
            "CREATE PROCEDURE \(name)(OUT n int, t timestamp(3), v varchar(30), d date) BEGIN SELECT t, v, d; SET n = 1; END"
        )
        // One whose name is the same as a pattern.
        try database.change("CREATE PROCEDURE \(name.replacing("_", with: "x"))(v varchar(30)) SELECT v")
        let text = SQLValue.text("2024-02-29T23:59:58.123Z")
        for procedure in [name, "books.\(name)"] {
            let result = try database.call(
                procedure: procedure, parameters: [.null, text, text, text], deadline: .noLimit)
            #expect(
                result.json
                    == #"[{"t":"2024-02-29T23:59:58.123Z","v":"2024-02-29T23:59:58.123Z","d":"2024-02-29"}]"#)
        }
    }

    @Test("A string that is not a time is the database's error, and a procedure is not run twice")
    func wrongTime() throws {
        let (table, name) = (uniqueName(), uniqueName("p"))
        try database.change("CREATE TABLE \(table) (n int, v timestamp(3) NULL) ENGINE=Aria")
        #expect(try database.failure("INSERT INTO \(table) (v) VALUES (?)", .text("soon")).sqlState == "22007")
        try database.change(
            """
            CREATE PROCEDURE \(name)(t varchar(30)) BEGIN
            INSERT INTO \(table) (n) VALUES (1); INSERT INTO \(table) (v) VALUES (t); END
            """)
        #expect(throws: SQLStatementError.self) {
            try database.call(procedure: name, parameters: [.text("2024-02-29T23:59:58.123Z")], deadline: .noLimit)
        }
        #expect(try database.row("SELECT count(*) FROM \(table)") == [.integer(1)])
    }

    @Test("BOOLEAN is true or false, wherever its column is read, and other numbers stay numbers")
    func booleans() throws {
        let table = uniqueName()
        try database.change(
            """
            CREATE TABLE \(table) (b boolean, `odd ``name` tinyint(1), u tinyint(1) unsigned, t tinyint, t2 tinyint(2),
            s smallint, i int(1))
            """)
        try database.change("INSERT INTO \(table) VALUES (true, 2, 0, 1, 1, 1, 1), (NULL, -1, 1, 0, 0, 0, 0)")
        #expect(
            try database.json("SELECT * FROM \(table)")
                == #"[{"b":true,"odd `name":true,"u":false,"t":1,"t2":1,"s":1,"i":1},"#
                + #"{"b":null,"odd `name":true,"u":true,"t":0,"t2":0,"s":0,"i":0}]"#)
        #expect(
            try database.json("SELECT x.b AS one, x.t AS two, b + 1 AS three FROM \(table) x WHERE b = ?", .bool(true))
                == #"[{"one":true,"two":1,"three":2}]"#)
        // The last of several columns with one label provides the value.
        #expect(try database.json("SELECT b AS a, t AS a FROM \(table) WHERE b") == #"[{"a":1}]"#)
        #expect(try database.json("SELECT t AS a, b AS a FROM \(table) WHERE b") == #"[{"a":true}]"#)
        let name = uniqueName("p")
        try database.change("CREATE PROCEDURE \(name)() BEGIN SELECT b FROM \(table) WHERE b; SELECT 1; END")
        #expect(try database.call(procedure: name, parameters: [], deadline: .noLimit).json == #"[{"b":true}]"#)
        try database.change("CREATE VIEW \(name)_v AS SELECT b FROM \(table) WHERE b")
        #expect(try database.json("SELECT b FROM \(name)_v") == #"[{"b":true}]"#)
    }

    @Test("A BOOLEAN is a number with tinyInt1isBit=false in the URL, as with Connector/J")
    func tinyInt() throws {
        let numbers = try server.source("mysql", database: "books", settings: "?tinyInt1isBit=false")
        let table = uniqueName()
        try numbers.change("CREATE TABLE \(table) (b boolean)")
        try numbers.change("INSERT INTO \(table) VALUES (true)")
        #expect(try numbers.row("SELECT b FROM \(table)") == [.integer(1)])
    }

    @Test("Exact numbers are strings with all digits, on demand")
    func exactNumbers() throws {
        let exact = try server.source("mysql", database: "books", exactNumbers: true)
        let table = uniqueName()
        try exact.change(
            "CREATE TABLE \(table) (a bigint, b bigint unsigned, c decimal(30,10), i int, d double, t boolean)")
        try exact.change(
            "INSERT INTO \(table) VALUES (?, ?, ?, 1, 0.5, true)", .text("9007199254740993"),
            .text("18446744073709551615"), .text("12345678901234567890.1234567890"))
        #expect(
            try exact.json("SELECT * FROM \(table)")
                == #"[{"a":"9007199254740993","b":"18446744073709551615","c":"12345678901234567890.1234567890","#
                + #""i":1,"d":0.5,"t":true}]"#)
    }
}

private struct UnexpectedValueError: Error {
    let value: SQLValue
}
