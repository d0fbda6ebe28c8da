import Foundation
import GRDB
import GRDBSQLite
import PushModel

/// A compiled statement, run through SQLite's own interface: for work that is done thousands of times in one transaction, when boxing every argument
/// and looking up every column by its name would take longer than SQLite itself.
///
/// Parameters count from 1 and columns from 0, as in SQLite. The tables are STRICT, so that columns hold what they are
/// declared to.
struct RawStatement {
    private let statement: Statement
    private var handle: OpaquePointer { statement.sqliteStatement }

    /// Compiles a statement, or takes it from the connection's cache.
    init(_ database: Database, _ sql: String) throws {
        statement = try database.cachedStatement(sql: sql)
        // The previous user may have stopped before the last row.
        sqlite3_reset(statement.sqliteStatement)
    }

    /// Runs a statement that returns no rows.
    func run() throws {
        _ = try step()
        sqlite3_reset(handle)
    }

    /// Moves to the next row.
    ///
    /// - Returns: whether there is one. After the last, the statement can be run again.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(handle)
            return false
        default:
            let connection = sqlite3_db_handle(handle)
            let error = DatabaseError(
                resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
                message: sqlite3_errmsg(connection).map { String(cString: $0) })
            sqlite3_reset(handle)
            throw error
        }
    }

    /// Makes the statement ready to be run again before its last row was reached.
    func reset() {
        sqlite3_reset(handle)
    }
}

/// Parameters.
extension RawStatement {
    func bind(_ index: Int32, _ value: Int64) throws {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    func bind(_ index: Int32, _ value: Int) throws {
        try bind(index, Int64(value))
    }

    func bind(_ index: Int32, _ value: Date) throws {
        try check(sqlite3_bind_double(handle, index, value.timeIntervalSince1970))
    }

    func bind(_ index: Int32, _ value: Date?) throws {
        if let value { try bind(index, value) } else { try bindNull(index) }
    }

    func bind(_ index: Int32, _ id: UUID) throws {
        try withUnsafeBytes(of: id.uuid) { bytes in
            try check(sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), Self.transient))
        }
    }

    func bind(_ index: Int32, _ text: String?) throws {
        guard let text else { return try bindNull(index) }
        try bind(index, text)
    }

    /// - Throws: ``StoredValueError`` when the string has a NUL character (``GRDB/Database/statement(_:_:)``).
    func bind(_ index: Int32, _ text: String) throws {
        var text = text
        try text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else {
                return try check(sqlite3_bind_text(handle, index, "", 0, Self.transient))
            }
            guard memchr(start, 0, bytes.count) == nil else { throw StoredValueError.nul }
            try start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
                try check(sqlite3_bind_text(handle, index, start, Int32(clamping: bytes.count), Self.transient))
            }
        }
    }

    func bindNull(_ index: Int32) throws {
        try check(sqlite3_bind_null(handle, index))
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// SQLITE_TRANSIENT, a cast that Swift does not import: SQLite copies the value.
    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

/// The row that the statement is at.
extension RawStatement: ColumnReader {
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    func optionalText(_ column: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Throws: ``StoredValueError`` when it has not the 16 bytes of an id.
    func id(_ column: Int32) throws -> UUID {
        guard let start = sqlite3_column_blob(handle, column), sqlite3_column_bytes(handle, column) == 16 else {
            throw StoredValueError(code: .corrupt, reason: "an id does not have 16 bytes")
        }
        return UUID(uuid: start.loadUnaligned(as: uuid_t.self))
    }
}
