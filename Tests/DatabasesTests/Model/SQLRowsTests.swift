import Foundation
import TestSupport
import Testing

@testable import Databases

@Suite("Rows in compact form", .onOwnThreads)
struct SQLRowsTests {
    private func json(_ value: SQLValue) -> String {
        SQLResult(resultSet: SQLRows(columns: ["a"], values: [value])).json
    }

    @Test(
        "each value comes back unchanged, and has its JSON form",
        arguments: [
            (SQLValue.null, "null"), (.bool(true), "true"), (.bool(false), "false"),
            (.integer(.min), "-9223372036854775808"), (.integer(.max), "9223372036854775807"), (.integer(0), "0"),
            (.real(0.1), "0.1"), (.real(-3), "-3"), (.real(1e300), "1e+300"), (.real(.leastNonzeroMagnitude), "5e-324"),
            (.real(9_007_199_254_740_991), "9007199254740991"), (.real(.infinity), "\"Infinity\""),
            (.real(-.infinity), "\"-Infinity\""), (.decimal("-00.50"), "-0.50"), (.decimal("E5"), "\"E5\""),
            (.text(""), "\"\""), (.text("Zoë 🐘"), "\"Zoë 🐘\""), (.day("2024-02-29"), "\"2024-02-29\""),
            (.time("13:05:06"), "\"13:05:06\""), (.timestamp("infinity"), "\"infinity\""), (.bytes([]), "\"\""),
            (.bytes([0, 255]), "\"AP8=\""),
        ])
    func values(value: SQLValue, json expected: String) {
        #expect(SQLRows(columns: ["a"], values: [value]).values == [value])
        #expect(json(value) == "[{\"a\":\(expected)}]")
    }

    @Test("a point in time is an ISO string, and NaN a string")
    func others() {
        #expect(json(.instant(Date(timeIntervalSince1970: -0.5))) == #"[{"a":"1969-12-31T23:59:59.500Z"}]"#)
        #expect(json(.real(.nan)) == #"[{"a":"NaN"}]"#)
    }

    @Test(
        "a character that JSON escapes is escaped at each position in a string",
        arguments: ["\"", "\\", "\u{1F}", "\n"])
    func escapes(character: String) throws {
        for length in 0...20 {
            for place in 0...length {
                let text =
                    String(repeating: "x", count: place) + character + String(repeating: "ÿ", count: length - place)
                let data = Data(json(.text(text)).utf8)
                let parsed = try JSONSerialization.jsonObject(with: data) as? [[String: String]]
                #expect(parsed == [["a": text]])
            }
        }
    }

    @Test("columns with the same label use the first one's position and the last one's value")
    func duplicates() throws {
        var collector = RowCollector(labels: ["a", "b", "a", "c", "b"], limit: 1000)
        for row in 0..<2 {
            try collector.appendRow { index, cells in cells.append(.text("\(row)\(index)")) }
        }
        let rows = try #require(collector.result.resultSet)
        #expect(rows.count == 2)
        #expect(rows[1] == [.text("12"), .text("14"), .text("13")])
        let values = ["02", "04", "03", "12", "14", "13"].map { SQLValue.text($0) }
        #expect(rows == SQLRows(columns: ["a", "b", "c"], values: values))
        #expect(collector.result.json == #"[{"a":"02","b":"04","c":"03"},{"a":"12","b":"14","c":"13"}]"#)
    }

    @Test("the limit counts each value, replaced ones too")
    func limit() throws {
        // 2 for the result, 7 for a row with one label of one byte, 6 for each string.
        for (limit, isTooLarge) in [(21, false), (20, true)] {
            var collector = RowCollector(labels: ["a", "a"], limit: limit)
            let failure: SQLStatementError?
            do {
                try collector.appendRow { _, cells in cells.append(.text("four")) }
                failure = nil
            } catch {
                failure = error
            }
            #expect((failure?.kind == .resultTooLarge) == isTooLarge)
        }
    }

    @Test("invalid UTF-8 is repaired")
    func invalidText() throws {
        let database = try source("jdbc:sqlite::memory:")
        #expect(try database.row("SELECT CAST(x'61FF62' AS TEXT) AS a") == [.text("a\u{FFFD}b")])
        #expect(try database.json("SELECT CAST(x'61FF62' AS TEXT) AS a") == "[{\"a\":\"a\u{FFFD}b\"}]")
    }

    @Test("the integers of a column become booleans, and its other values stay")
    func booleans() {
        var rows = SQLRows(columns: ["a", "b"], values: [.integer(0), .integer(2), .null, .null, .integer(2), .null])
        rows.convertIntegers(inColumn: 0) { $0 > 0 }
        #expect(rows.values == [.bool(false), .integer(2), .null, .null, .bool(true), .null])
    }
}

@Suite("Points in time in buffers")
struct CivilTimeBytesTests {
    @Test(
        "reads a point in time up to the buffer's end",
        arguments: [
            (16, "2024-02-29T23:59:00.000Z"), (17, nil), (18, nil), (19, "2024-02-29T23:59:58.000Z"),
            (20, "2024-02-29T23:59:58.000Z"), (21, "2024-02-29T23:59:58.100Z"), (24, "2024-02-29T23:59:58.123Z"),
            // A blank is not an offset.
            (25, nil),
        ] as [(Int, String?)])
    func length(count: Int, iso: String?) {
        let time = Array("2024-02-29 23:59:58.1239 and more".utf8).withUnsafeBufferPointer {
            CivilTime(sqlText: UnsafeBufferPointer(rebasing: $0.prefix(count)))
        }
        #expect(time?.isoText == iso)
    }

    @Test(
        "reads no days that the calendar does not have",
        arguments: [
            ("2023-02-29", false), ("2000-02-29", true), ("1900-02-29", false), ("2024-04-31", false),
            ("2024-07-31", true), ("2024-08-31", true), ("2024-09-31", false), ("2024-12-31", true),
            ("2024-00-10", false), ("2024-01-00", false),
        ])
    func days(day: String, exists: Bool) {
        #expect(CivilTime(sqlText: "\(day) 00:00:00")?.dayText == (exists ? day : nil))
    }

    @Test("reads no point in time whose offset is larger than any year")
    func largeOffset() {
        #expect(CivilTime(sqlText: "2024-01-01 00:00:00+9999999999999999") == nil)
    }

    @Test("writes a year with at least four digits")
    func years() {
        #expect(CivilTime(year: 12_345, month: 1, day: 2).isoText == "12345-01-02T00:00:00.000Z")
        #expect(CivilTime(year: -44, month: 3, day: 15).dayText == "-0044-03-15")
    }
}
