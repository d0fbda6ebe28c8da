import GRDBSQLite

/// A column of a result, and the conversion of its values. In SQLite types belong to values: dates and times are strings (or numbers), and the
/// declared type of the column decides which strings are read as such.
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
    ///   - exactNumbers: whether values that a script's number cannot hold, and all of BIGINT, NUMERIC and DECIMAL, are strings.
    init(_ statement: OpaquePointer, _ index: Int32, exactNumbers: Bool) {
        (self.statement, self.index, self.exactNumbers) = (statement, index, exactNumbers)
        label = sqlite3_column_name(statement, index).map { String(cString: $0) } ?? ""
        let type = sqlite3_column_decltype(statement, index).map { String(cString: $0).uppercased() } ?? ""
        isUndeclared = type.isEmpty
        isDate = type.contains("DATE") || type.contains("TIME")
        isExact = exactNumbers && ["BIGINT", "NUMERIC", "DECIMAL"].contains(where: type.contains)
    }

    /// Appends the value in the statement's current row.
    func read(into cells: inout SQLRows) {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER:
            let number = sqlite3_column_int64(statement, index)
            let isTooLarge = exactNumbers && number.magnitude > 1 << 53
            cells.append(isExact || isTooLarge ? .text : .integer, digitsOf: number)
        case SQLITE_FLOAT where isExact: cells.append(.text, text)
        case SQLITE_FLOAT: cells.append(real: sqlite3_column_double(statement, index))
        case SQLITE_TEXT:
            let content = text
            if let time = pointInTime(content) { cells.append(time) } else { cells.append(.text, content) }
        case SQLITE_BLOB: cells.append(.bytes, blob)
        default: cells.append(.null)
        }
    }

    /// Reads a point in time, which becomes ISO 8601 in UTC. In a column declared as DATE, DATETIME, TIMESTAMP and the like, it reads
    /// all forms that SQLite's functions read; without a declared type, the forms that `CURRENT_TIMESTAMP` and `datetime()` write. In
    /// other columns it reads only the form in which a `Date` is bound as a parameter, so that a stored `Date` is returned as one.
    private func pointInTime(_ text: UnsafeBufferPointer<UInt8>) -> CivilTime? {
        isDate || isAsWritten(text) ? CivilTime(sqlText: text) : nil
    }

    /// Returns true if a string has the form `yyyy-MM-dd HH:mm:ss`, with or without a fraction; in a column with another declared type only with
    /// exactly the fraction that ``SQLiteParameters`` writes.
    private func isAsWritten(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard isUndeclared ? text.count >= 19 : text.count == SQLiteParameters.instantLength,
            text[10] == UInt8(ascii: " ")
        else { return false }
        return text[19...].allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    /// SQLite's own memory, until the next step.
    private var text: UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_text(statement, index)
        return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, index)))
    }

    /// SQLite's own memory, until the next step.
    private var blob: UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(statement, index)
        return UnsafeRawBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, index)))
    }
}
