import Foundation
import GRDB

extension Database: StoreTransaction {
    /// The compiled form of a statement is kept for the next time.
    @discardableResult
    func run(_ sql: String, _ arguments: [(any StoreArgument)?]) throws -> Int {
        try statement(sql, arguments).execute()
        return changesCount
    }

    func forEachRow(_ sql: String, _ arguments: [(any StoreArgument)?], _ body: (StoreRow) throws -> Void) throws {
        let statement = try statement(sql, arguments)
        let columns = statement.columnNames
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() {
            try body(StoreRow(columns: columns, values: row.databaseValues.map(\.storeValue)))
        }
    }

    func indexed(by index: String) -> String { " INDEXED BY \(index)" }

    /// Prepares a statement and refuses NUL characters: SQLite's interface would cut a string off there, and make one user out of two.
    private func statement(_ sql: String, _ arguments: [(any StoreArgument)?]) throws -> Statement {
        let values = try arguments.map { try DatabaseValue($0?.stored ?? .null) }
        let statement = try cachedStatement(sql: sql)
        try statement.setArguments(StatementArguments(values))
        return statement
    }
}

extension DatabaseValue {
    fileprivate init(_ value: StoreValue) throws {
        switch value {
        case .null: self = .null
        case .integer(let integer): self = integer.databaseValue
        case .real(let real): self = real.databaseValue
        case .text(let text):
            guard !text.utf8.contains(0) else { throw StoredValueError.nul }
            self = text.databaseValue
        case .bytes(let bytes): self = bytes.databaseValue
        }
    }

    fileprivate var storeValue: StoreValue {
        switch storage {
        case .null: .null
        case .int64(let integer): .integer(integer)
        case .double(let real): .real(real)
        case .string(let text): .text(text)
        case .blob(let bytes): .bytes(bytes)
        }
    }
}
