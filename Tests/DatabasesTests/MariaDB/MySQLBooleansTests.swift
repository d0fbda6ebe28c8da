import Testing

@testable import Databases

@Suite("BOOLEAN columns of MySQL")
struct MySQLBooleansTests {
    private let booleans = MySQLBooleans()
    private static let columns = SQLRows(
        columns: ["Field", "Type"], values: [.text("b"), .text("tinyint(1)"), .text("t"), .text("tinyint(4)")])

    /// Reads a row of `b` and `t`, both 1.
    private func read(
        _ answer: Result<SQLRows, SQLStatementError>, asked: (() -> Void)? = nil
    ) throws(SQLStatementError) -> [SQLValue] {
        var rows = SQLRows(columns: ["b", "t"], values: [.integer(1), .integer(1)])
        let sources = Dictionary(
            uniqueKeysWithValues: ["b", "t"].map {
                ($0, ODBCColumn.Source(database: "shop", table: "books", column: $0))
            })
        try booleans.convert(&rows, sources) { _ throws(SQLStatementError) in
            asked?()
            return try answer.get()
        }
        return rows.values
    }

    @Test("queries again after a transient failure")
    func failure() throws {
        let failure = SQLStatementError(.statement, "too many open files", sqlState: "HY000")
        #expect(try read(.failure(failure)) == [.integer(1), .integer(1)])
        #expect(try read(.success(Self.columns)) == [.bool(true), .integer(1)])
    }

    @Test("queries a missing table once")
    func noTable() throws {
        var count = 0
        let failure = SQLStatementError(.statement, "no such table", sqlState: "42S02")
        for _ in 0..<2 { #expect(try read(.failure(failure)) { count += 1 } == [.integer(1), .integer(1)]) }
        #expect(count == 1)
    }

    @Test(
        "fails the statement when the deadline passes or the connection breaks",
        arguments: [SQLStatementError.Kind.timeout, .connection])
    func broken(kind: SQLStatementError.Kind) throws {
        #expect(throws: SQLStatementError(kind, "lost")) { try read(.failure(SQLStatementError(kind, "lost"))) }
        #expect(try read(.success(Self.columns)) == [.bool(true), .integer(1)])
    }
}
