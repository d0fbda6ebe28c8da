import GRDBSQLite

/// A column of a result, and how its values are read. In SQLite types belong to values: dates and times are texts (or numbers),
/// and the declared type of the column tells which texts are meant as such.
struct SQLiteColumn {
    let label: String
    private let statement: OpaquePointer
    private let index: Int32
    private let isDate: Bool
    /// An expression, or a column without a type.
    private let isUndeclared: Bool
    private let exactNumbers: Bool
    private let isExact: Bool

    /// - Parameters:
    ///   - statement: the prepared statement; must outlive this.
    ///   - index: from 0.
    ///   - exactNumbers: whether values that a script's number cannot hold, and all of BIGINT, NUMERIC and DECIMAL, are texts.
    init(_ statement: OpaquePointer, _ index: Int32, exactNumbers: Bool) {
        (self.statement, self.index, self.exactNumbers) = (statement, index, exactNumbers)
        label = sqlite3_column_name(statement, index).map { String(cString: $0) } ?? ""
        let type = sqlite3_column_decltype(statement, index).map { String(cString: $0).uppercased() } ?? ""
        isUndeclared = type.isEmpty
        isDate = type.contains("DATE") || type.contains("TIME")
        isExact = exactNumbers && ["BIGINT", "NUMERIC", "DECIMAL"].contains(where: type.contains)
    }

    /// The value in the row that the statement stands at.
    func read() -> SQLValue {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: isExact ? .text(text) : .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT: time(text)
        case SQLITE_BLOB: .bytes(bytes)
        default: .null
        }
    }

    private func integer(_ number: Int64) -> SQLValue {
        let isTooLarge = exactNumbers && number.magnitude > 1 << 53
        return isExact || isTooLarge ? .text(String(number)) : .integer(number)
    }

    /// Points in time become ISO 8601 in UTC. As such are taken: in a column declared as DATE, DATETIME, TIMESTAMP and the like,
    /// all forms that SQLite's own functions read; without a declared type what `CURRENT_TIMESTAMP` and `datetime()` write; in
    /// every other column only what a `Date` becomes as a parameter, so that it comes back as what it was.
    private func time(_ text: String) -> SQLValue {
        guard isDate || isAsWritten(text), let time = CivilTime(sqlText: text) else { return .text(text) }
        return .timestamp(time.isoText)
    }

    /// Whether a text has the form `yyyy-MM-dd HH:mm:ss`, with a fraction or not; in a column of another type with just the
    /// fraction that ``SQLiteParameters`` writes.
    private func isAsWritten(_ text: String) -> Bool {
        let bytes = text.utf8
        guard isUndeclared ? bytes.count >= 19 : bytes.count == SQLiteParameters.instantLength,
            bytes.dropFirst(10).first == UInt8(ascii: " ")
        else { return false }
        return bytes.dropFirst(19).allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    private var text: String {
        guard let start = sqlite3_column_text(statement, index) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private var bytes: [UInt8] {
        guard let start = sqlite3_column_blob(statement, index) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
    }
}
