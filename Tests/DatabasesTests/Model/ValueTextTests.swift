import Testing

@testable import Databases

@Suite("Values as strings")
struct ValueTextTests {
    @Test(
        "Decimals become JSON numbers, whatever way the database writes them",
        arguments: [
            (".5", "0.5"), ("-.5", "-0.5"), ("+7", "7"), ("12.50", "12.50"), ("007", "7"), ("0", "0"), ("1E+5", "1E+5"),
            // No numbers of JSON's.
            ("NaN", "\"NaN\""), ("-Infinity", "\"-Infinity\""), ("", "\"\""), ("1\" DROP", "\"1\\\" DROP\""),
        ])
    func decimals(text: String, json: String) {
        #expect(SQLResult(resultSet: SQLRows(columns: ["a"], values: [.decimal(text)])).json == "[{\"a\":\(json)}]")
    }

    @Test(
        "Points in time are read with fraction and offset",
        arguments: [
            ("2024-02-29 23:59:58.1239", "2024-02-29T23:59:58.123Z"),
            ("2024-02-29T23:59:58.1Z", "2024-02-29T23:59:58.100Z"), ("2024-02-29 23:59", "2024-02-29T23:59:00.000Z"),
            ("2024-01-01 00:30:00+02", "2023-12-31T22:30:00.000Z"),
            ("2024-01-01 00:30:00.5-05:30", "2024-01-01T06:00:00.500Z"),
            ("0001-01-01 00:00:00+00", "0001-01-01T00:00:00.000Z"),
            ("1900-03-01 00:00:00+00:19:32", "1900-02-28T23:40:28.000Z"),
        ])
    func civilTimes(text: String, iso: String) {
        #expect(CivilTime(sqlText: text)?.isoText == iso)
    }

    @Test(
        "A string that is not a point in time is not taken for one",
        arguments: [
            "infinity", "0044-03-15 00:00:00 BC", "10000-01-01 00:00:00", "2024-01-01", "",
            "2024-02-30 00:00:00", "2024-13-01 00:00:00", "2024-01-01 24:00:00", "2024-01-01_00:00:00",
        ])
    func noCivilTimes(text: String) {
        #expect(CivilTime(sqlText: text) == nil)
    }

    @Test("A password does not stay in a message")
    func redacting() {
        #expect(SQLStatementError(.connection, "PWD=hidden-word;").redacting("hidden-word").message == "PWD=***;")
    }
}
