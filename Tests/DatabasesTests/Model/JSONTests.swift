import Databases
import Foundation
import TestSupport
import Testing

@Suite("Rows as JSON", .onOwnThreads)
struct JSONTests {
    private let database: SQLDataSource

    init() throws {
        database = try source("jdbc:sqlite::memory:")
    }

    @Test(
        "The result is JSON, whatever the strings hold",
        arguments: [
            "plain", "\"quoted\" \\ back", "line\nfeed\r\ttab", "\u{1}\u{1F}\u{0}", "Zoë 🐘 \u{2028}", "",
        ])
    func strings(text: String) throws {
        let json = try database.json("SELECT ? AS \"ke\"\"y\"", .text(text))
        let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: String]]
        #expect(parsed == [["ke\"y": text]])
    }

    @Test("Numbers, booleans, null and bytes have their JSON forms")
    func others() throws {
        let json = try database.json(
            "SELECT 9007199254740993 AS a, 1.5 AS b, 2.0 AS c, NULL AS d, ? AS e, 9e999 AS f", .bytes([1, 2, 3, 4]))
        #expect(json == #"[{"a":9007199254740993,"b":1.5,"c":2,"d":null,"e":"AQIDBA==","f":"Infinity"}]"#)
    }

    @Test("Rows are separated by commas")
    func rows() throws {
        #expect(try database.json("SELECT 1 AS a UNION SELECT 2") == #"[{"a":1},{"a":2}]"#)
    }
}
