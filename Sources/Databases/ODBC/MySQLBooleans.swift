import Core
import Synchronization

/// MySQL's and MariaDB's BOOLEAN, which is TINYINT(1): values become `true` or `false`, as Connector/J has it (`tinyInt1isBit`).
///
/// The ODBC driver does not distinguish TINYINT(1) from other TINYINT columns, so this asks the database for each table's columns
/// once a minute. Results of expressions stay numbers.
final class MySQLBooleans: Sendable {
    private struct Table: Hashable {
        let database: String?
        let name: String
    }

    private struct CachedColumns {
        let columns: Set<String>
        let until: ContinuousClock.Instant
    }

    private let known = Mutex(BoundedTable<Table, CachedColumns>(capacity: 1000))
    private static let keptFor = Duration.seconds(60)

    /// - Parameters:
    ///   - rows: changed where a column is BOOLEAN.
    ///   - sources: by their labels, the columns that are TINYINT.
    ///   - query: runs a statement in the same session.
    /// - Throws: ``SQLStatementError`` when the deadline passes or the connection breaks before the columns are known.
    func convert(
        _ rows: inout SQLRows, _ sources: [String: ODBCColumn.Source],
        query: (String) throws(SQLStatementError) -> SQLRows?
    ) throws(SQLStatementError) {
        for (place, label) in rows.columns.enumerated() {
            guard let source = sources[label],
                try columns(of: Table(database: source.database, name: source.table), query: query)
                    .contains(source.column)
            else { continue }
            rows.convertIntegers(inColumn: place) { $0 > 0 || $0 == -1 }
        }
    }

    private func columns(
        of table: Table, query: (String) throws(SQLStatementError) -> SQLRows?
    ) throws(SQLStatementError) -> Set<String> {
        let now = ContinuousClock.now
        let former = known.withLock { $0[table] }
        if let former, now < former.until { return former.columns }
        let name = [table.database, table.name].compactMap(\.self).map(Self.quoted).joined(separator: ".")
        let columns: Set<String>
        do throws(SQLStatementError) {
            columns = Self.booleans(of: try query("SHOW COLUMNS FROM \(name)"))
        } catch {
            switch error.kind {
            case .timeout, .connection, .closed: throw error
            default: break
            }
            // Class 42: no such table, such as a view's alias, or no right to ask. Any other failure may pass.
            guard error.sqlState?.hasPrefix("42") == true else { return former?.columns ?? [] }
            columns = []
        }
        let found = CachedColumns(columns: columns, until: now + Self.keptFor)
        known.withLock { $0[table] = found }
        return columns
    }

    private static func booleans(of rows: SQLRows?) -> Set<String> {
        var columns: Set<String> = []
        for index in 0..<(rows?.count ?? 0) {
            guard let row = rows.map({ Array($0[index]) }), row.count > 1, case .text(let column) = row[0],
                let type = row[1].typeText, type.hasPrefix("tinyint(1)")
            else { continue }
            columns.insert(column)
        }
        return columns
    }

    private static func quoted(_ name: String) -> String { "`\(name.replacing("`", with: "``"))`" }
}

extension SQLValue {
    /// The type as a string; MySQL 8 reports it as BLOB.
    fileprivate var typeText: String? {
        switch self {
        case .text(let text): text.lowercased()
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self).lowercased()
        default: nil
        }
    }
}
