import Core
import Foundation
import GRDB

/// The rows of the given files, in a temporary database on the disk. The system removes it with the process.
final class ImportTables {
    struct Table {
        let name: String
        /// The names in the file.
        let columns: [String]
        /// The name of the file.
        let source: String
        var rows = 0
        /// The name in the database.
        fileprivate let number: Int

        var sql: String { "t\(number)" }

        /// True if its rows come from a dump, which has many of them on a line.
        var isOfDump: Bool { source.lowercased().hasSuffix(".sql") }

        /// Returns the position of a column; upper and lower case do not matter.
        func position(of column: String) -> Int? {
            columns.firstIndex(of: column) ?? columns.firstIndex { $0.lowercased() == column.lowercased() }
        }
    }

    /// The largest number of columns of a table.
    private static let mostColumns = 500
    /// The longest name of a table or a column, in bytes.
    private static let longestName = 200

    /// In the order of the files.
    private(set) var tables: [Table] = []
    let database: DatabaseQueue

    /// - Throws: the database's errors.
    init() throws {
        // An empty path is SQLite's name for a temporary file, which nobody else can open.
        database = try DatabaseQueue(path: "")
    }

    /// Returns a table; upper and lower case do not matter.
    func table(named name: String) -> Table? {
        tables.first { $0.name == name } ?? tables.first { $0.name.lowercased() == name.lowercased() }
    }

    /// Reads a file.
    ///
    /// - Parameter progress: called with the number of rows of the file so far.
    /// - Throws: ``SubscriptionImportError``, and the database's errors.
    func read(_ url: URL, progress: @escaping (Int) -> Void) throws {
        let name = url.deletingPathExtension().lastPathComponent
        try database.inTransaction { database in
            let receiver = Receiver(tables: self, database: database, source: url.lastPathComponent, progress: progress)
            switch url.pathExtension.lowercased() {
            case "csv", "tsv", "txt", "del":
                var rows = CSVRows(try FileBytes(url))
                try rows.read(table: name, to: receiver)
            case "json", "jsonl", "ndjson":
                try JSONRows.read(
                    { () throws(SubscriptionImportError) in try FileBytes(url) }, table: name, to: receiver)
            case "sql":
                var dump = SQLDump(try FileBytes(url))
                try dump.read(to: receiver)
            default:
                throw SubscriptionImportError(
                    url.lastPathComponent,
                    "a file of this kind is not imported; expected .csv, .del, .json, .jsonl or .sql")
            }
            return .commit
        }
    }

    /// Adds the rows of a file to the database.
    private final class Receiver: RowReceiver {
        private let tables: ImportTables
        private let database: Database
        private let source: String
        private let progress: (Int) -> Void
        private var current: Int?
        private var statement: Statement?
        private var count = 0

        init(tables: ImportTables, database: Database, source: String, progress: @escaping (Int) -> Void) {
            (self.tables, self.database, self.source, self.progress) = (tables, database, source, progress)
        }

        func begin(table name: String, columns: [String], line: Int) throws {
            let isName = { (name: String) in
                name.utf8.count <= ImportTables.longestName && !name.hasControlCharacters
            }
            guard ([name] + columns).allSatisfy(isName) else {
                throw SubscriptionImportError(
                    source, line: line,
                    "the name of a table or a column has a line break, another control character, or more than \(ImportTables.longestName) bytes; expected names as in a header line"
                )
            }
            if let known = tables.tables.firstIndex(where: { $0.name == name }) {
                guard tables.tables[known].source == source, tables.tables[known].columns == columns else {
                    throw SubscriptionImportError(
                        source, line: line,
                        "there is another table \(name) in \(tables.tables[known].source), or with other columns; rename one of the files"
                    )
                }
                current = known
            } else {
                guard columns.count <= ImportTables.mostColumns else {
                    throw SubscriptionImportError(
                        source, line: line, "\(name) has more than \(ImportTables.mostColumns) columns")
                }
                let table = Table(name: name, columns: columns, source: source, number: tables.tables.count)
                current = tables.tables.count
                tables.tables.append(table)
                let definitions = columns.indices.map { "c\($0) TEXT" }.joined(separator: ", ")
                try database.execute(sql: "CREATE TABLE \(table.sql) (line INTEGER NOT NULL, \(definitions))")
            }
            let marks = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
            statement = try database.cachedStatement(
                sql: "INSERT INTO t\(current ?? 0) VALUES (\(marks))")
        }

        func add(_ values: [String?], line: Int) throws {
            guard let current, let statement else { return }
            let arguments: [(any DatabaseValueConvertible)?] =
                [line]
                + values.map {
                    // SQLite would end the string there, and make one user out of two.
                    $0?.replacing("\0", with: "\u{FFFD}")
                }
            try statement.execute(arguments: StatementArguments(arguments))
            tables.tables[current].rows += 1
            count += 1
            if count.isMultiple(of: 1000) { progress(count) }
        }
    }
}
