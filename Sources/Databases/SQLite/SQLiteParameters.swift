import GRDBSQLite

/// Parameters for SQLite.
enum SQLiteParameters {
    /// The length of a bound point in time.
    static let instantLength = 23

    /// Binds a value. Booleans become 1 and 0, points in time `yyyy-MM-dd HH:mm:ss.SSS`, which SQLite's date functions read.
    static func bind(_ value: SQLValue, to statement: OpaquePointer, _ index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .bool(let bool): sqlite3_bind_int64(statement, index, bool ? 1 : 0)
        case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
        case .real(let real): sqlite3_bind_double(statement, index, real)
        case .decimal(let text), .text(let text), .day(let text), .time(let text), .timestamp(let text):
            bind(text, to: statement, index)
        case .instant(let date): bind(CivilTime(date).text(separator: " "), to: statement, index)
        case .bytes(let bytes):
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(statement, index, 0)
                : bytes.withUnsafeBytes {
                    sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), copied)
                }
        }
    }

    /// SQLITE_TRANSIENT, a cast that Swift does not import: SQLite copies the value.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private static func bind(_ text: String, to statement: OpaquePointer, _ index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                // An empty string may have no address, which SQLite would take for NULL.
                $0.baseAddress.map {
                    sqlite3_bind_text64(statement, index, $0, UInt64(utf8.count), copied, UInt8(SQLITE_UTF8))
                } ?? sqlite3_bind_text(statement, index, "", 0, copied)
            }
        }
    }
}
