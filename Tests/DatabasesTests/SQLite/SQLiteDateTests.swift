import Databases
import Foundation
import TestSupport
import Testing
import WorklightProject

@Suite("SQLite's dates", .onOwnThreads)
struct SQLiteDateTests {
    let database: SQLDataSource

    init() throws {
        database = try source("jdbc:sqlite::memory:")
    }

    @Test(
        "A Date comes back as ISO 8601 in UTC from a column of any type",
        arguments: ["", "TEXT", "VARCHAR(30)", "DATETIME", "TIMESTAMP", "timestamp without time zone", "DATE", "BLOB"])
    func dates(type: String) throws {
        try database.change("CREATE TABLE t (v \(type))")
        for (seconds, text) in [
            (0.0, "1970-01-01T00:00:00.000Z"), (1_709_251_198.123, "2024-02-29T23:59:58.123Z"),
            (-0.5, "1969-12-31T23:59:59.500Z"),
        ] {
            try database.change("DELETE FROM t")
            try database.change("INSERT INTO t VALUES (?)", .instant(Date(timeIntervalSince1970: seconds)))
            #expect(try database.row("SELECT v FROM t") == [.timestamp(text)])
            // A value that was read finds and replaces the stored value.
            try database.change("UPDATE t SET v = ?", .text(text))
            #expect(try database.json("SELECT v FROM t") == #"[{"v":"\#(text)"}]"#)
            #expect(try database.row("SELECT v FROM t WHERE v = ?", .text(text)).count == 1)
        }
    }

    @Test(
        "A column of dates and times returns each form that SQLite reads as ISO 8601 in UTC",
        arguments: [
            ("2024-02-29 23:59", "2024-02-29T23:59:00.000Z"), ("2024-02-29 23:59:58", "2024-02-29T23:59:58.000Z"),
            ("2024-02-29T23:59:58.5", "2024-02-29T23:59:58.500Z"), ("2024-02-29T23:59Z", "2024-02-29T23:59:00.000Z"),
            ("2024-02-29 23:59:58+02:00", "2024-02-29T21:59:58.000Z"),
            ("2024-02-29T23:59:58.123-05:30", "2024-03-01T05:29:58.123Z"),
        ])
    func forms(text: String, expected: String) throws {
        try database.change("CREATE TABLE t (v DATETIME)")
        try database.change("INSERT INTO t VALUES (?)", .text(text))
        #expect(try database.row("SELECT v FROM t") == [.timestamp(expected)])
    }

    @Test("The clock, and functions of columns, return ISO 8601 in UTC")
    func expressions() throws {
        try database.change("CREATE TABLE t (v DATETIME DEFAULT CURRENT_TIMESTAMP, a)")
        try database.change("INSERT INTO t (a) VALUES (1)")
        let row = try database.row(
            "SELECT v, max(v), CURRENT_TIMESTAMP, datetime('2024-02-29 12:00:00', '+1 hour') FROM t")
        for value in row {
            guard case .timestamp(let text) = value else {
                Issue.record("expected a time, got \(value)")
                continue
            }
            #expect(text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z/) != nil)
        }
        #expect(row.last == .timestamp("2024-02-29T13:00:00.000Z"))
    }

    @Test(
        "A value that is not a point in time stays as stored",
        arguments: [
            ("TEXT", "2024-02-29 23:59:58"), ("TEXT", "2024-02-29T23:59:58.123Z"), ("TEXT", "2024-02-29 23:59:58 x"),
            ("TEXT", "2024-02-30 23:59:58.123"), ("TEXT", "2024-02-29 23:59:58+0200"), ("", "2024-02-29 23:59:58 abc"),
            ("", "2024-02-29"), ("DATE", "2024-02-29"), ("TIME", "23:59:58"), ("DATETIME", "2024-13-01 00:00:00"),
            ("DATETIME", "tomorrow, or the day after"), ("DATETIME", ""), ("", "2024-02-29 25:00:00"),
        ])
    func others(type: String, text: String) throws {
        try database.change("CREATE TABLE t (v \(type))")
        try database.change("INSERT INTO t VALUES (?)", .text(text))
        #expect(try database.row("SELECT v FROM t") == [.text(text)])
    }

    @Test("A number in a column of dates and times stays a number")
    func numbers() throws {
        try database.change("CREATE TABLE t (v DATETIME)")
        try database.change("INSERT INTO t VALUES (?), (?)", .integer(1_709_251_198_123), .real(2_460_370.5))
        #expect(try database.json("SELECT v FROM t") == #"[{"v":1709251198123},{"v":2460370.5}]"#)
    }

    @Test("dates compare correctly with values of CURRENT_TIMESTAMP")
    func comparison() throws {
        try database.change("CREATE TABLE t (v DATETIME)")
        try database.change("INSERT INTO t VALUES ('2024-02-29 12:00:00')")
        let noon = Date(timeIntervalSince1970: 1_709_208_000)
        #expect(try database.json("SELECT v FROM t WHERE v < ?", .instant(noon - 1)) == "[]")
        #expect(try database.json("SELECT v FROM t WHERE v > ?", .instant(noon + 1)) == "[]")
        #expect(try database.row("SELECT v FROM t WHERE v > ?", .instant(noon - 1)).count == 1)
    }
}
