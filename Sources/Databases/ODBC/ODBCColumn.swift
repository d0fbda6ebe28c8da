import CODBC

/// A column of a result set, and how its values are read.
struct ODBCColumn {
    let label: String
    private let handle: ODBCHandle
    private let number: SQLUSMALLINT
    private let form: Form
    /// True if the database reports it as TINYINT, and so perhaps as BOOLEAN.
    let isTiny: Bool

    private enum Form {
        case integer, unsigned, real, float, decimal, bool, bytes, day, timestamp, time, text
    }

    /// - Parameters:
    ///   - index: from 1.
    ///   - exactNumbers: whether BIGINT, NUMERIC and DECIMAL are read as strings.
    init(_ handle: ODBCHandle, _ index: Int, exactNumbers: Bool) throws(SQLStatementError) {
        var name = [SQLWCHAR](repeating: 0, count: 512)
        var (length, type, digits, nullable): (SQLSMALLINT, SQLSMALLINT, SQLSMALLINT, SQLSMALLINT) = (0, 0, 0, 0)
        var size: SQLULEN = 0
        number = SQLUSMALLINT(index)
        let code = SQLDescribeColW(handle.value, number, &name, 512, &length, &type, &size, &digits, &nullable)
        guard ODBC.isSuccess(code) else { throw ODBC.failure(handle, .statement) }
        self.handle = handle
        label = String(decoding: name.prefix { $0 != 0 }, as: UTF16.self)
        let columnForm = Self.form(Int32(type))
        isTiny = Int32(type) == SQL_TINYINT
        if exactNumbers, Int32(type) == SQL_BIGINT || columnForm == .decimal {
            form = .text
            return
        }
        var unsigned: SQLLEN = 0
        if Int32(type) == SQL_BIGINT {
            SQLColAttributeW(handle.value, number, SQLUSMALLINT(SQL_DESC_UNSIGNED), nil, 0, nil, &unsigned)
        }
        // Half of the unsigned ones do not fit into an Int64.
        form = unsigned == SQLLEN(SQL_TRUE) ? .unsigned : columnForm
    }

    private static func form(_ type: Int32) -> Form {
        switch type {
        case SQL_INTEGER, SQL_SMALLINT, SQL_TINYINT, SQL_BIGINT: .integer
        case SQL_REAL: .float
        case SQL_FLOAT, SQL_DOUBLE: .real
        case SQL_DECIMAL, SQL_NUMERIC: .decimal
        case SQL_BIT: .bool
        case SQL_BINARY, SQL_VARBINARY, SQL_LONGVARBINARY: .bytes
        case SQL_TYPE_DATE: .day
        case SQL_TYPE_TIMESTAMP: .timestamp
        case SQL_TYPE_TIME: .time
        default: .text
        }
    }

    /// The value in the row that was fetched. Columns must be read in order.
    func read() throws(SQLStatementError) -> SQLValue {
        switch form {
        case .integer: try fixed(SQL_C_SBIGINT, Int64(0)).map { .integer($0) } ?? .null
        case .unsigned: try text().map { text in Int64(text).map { .integer($0) } ?? .decimal(text) } ?? .null
        case .real: try fixed(SQL_C_DOUBLE, Double(0)).map { .real($0) } ?? .null
        // By way of its shortest decimal form, so that 0.1 stays 0.1.
        case .float: try fixed(SQL_C_FLOAT, Float(0)).map { .real(Double($0.description) ?? Double($0)) } ?? .null
        case .bool: try fixed(SQL_C_BIT, UInt8(0)).map { .bool($0 != 0) } ?? .null
        case .day: try fixed(SQL_C_TYPE_DATE, SQL_DATE_STRUCT()).map(Self.day) ?? .null
        case .timestamp: try fixed(SQL_C_TYPE_TIMESTAMP, SQL_TIMESTAMP_STRUCT()).map(Self.timestamp) ?? .null
        case .decimal: try text().map { .decimal($0) } ?? .null
        case .time: try text().map { .time($0) } ?? .null
        case .text: try text().map { .text($0) } ?? .null
        case .bytes: try long(SQL_C_BINARY, of: UInt8.self, terminator: 0).map { .bytes($0) } ?? .null
        }
    }

    private static func day(_ date: SQL_DATE_STRUCT) -> SQLValue {
        .day(CivilTime(year: Int(date.year), month: Int(date.month), day: Int(date.day)).dayText)
    }

    private static func timestamp(_ time: SQL_TIMESTAMP_STRUCT) -> SQLValue {
        .timestamp(
            CivilTime(
                year: Int(time.year), month: Int(time.month), day: Int(time.day), hour: Int(time.hour),
                minute: Int(time.minute), second: Int(time.second), millisecond: Int(time.fraction) / 1_000_000
            ).isoText)
    }

    /// The origin of the values: the column of a table; nil for an expression.
    var source: Source? {
        guard let table = attribute(SQL_DESC_BASE_TABLE_NAME), let column = attribute(SQL_DESC_BASE_COLUMN_NAME) else {
            return nil
        }
        return Source(database: attribute(SQL_DESC_CATALOG_NAME), table: table, column: column)
    }

    struct Source: Sendable {
        let database: String?
        let table: String
        let column: String
    }

    /// - Returns: nil when it is empty.
    private func attribute(_ attribute: Int32) -> String? {
        var text = [SQLWCHAR](repeating: 0, count: 512)
        var length: SQLSMALLINT = 0
        let size = SQLSMALLINT(text.count * MemoryLayout<SQLWCHAR>.stride)
        let code = SQLColAttributeW(handle.value, number, SQLUSMALLINT(attribute), &text, size, &length, nil)
        let value = String(decoding: text.prefix { $0 != 0 }, as: UTF16.self)
        return ODBC.isSuccess(code) && !value.isEmpty ? value : nil
    }

    private func fixed<Value>(_ type: Int32, _ initial: Value) throws(SQLStatementError) -> Value? {
        var value = initial
        var indicator: SQLLEN = 0
        let size = MemoryLayout<Value>.size
        let code = withUnsafeMutableBytes(of: &value) {
            SQLGetData(handle.value, number, SQLSMALLINT(type), $0.baseAddress, SQLLEN(size), &indicator)
        }
        guard ODBC.isSuccess(code) else { throw ODBC.failure(handle, .statement) }
        return indicator == SQLLEN(SQL_NULL_DATA) ? nil : value
    }

    private func text() throws(SQLStatementError) -> String? {
        try long(SQL_C_WCHAR, of: UInt16.self, terminator: 1).map { String(decoding: $0, as: UTF16.self) }
    }

    /// Reads a value of any length, in pieces where it is long.
    ///
    /// - Parameter terminator: how many units ODBC puts behind each piece.
    private func long<Unit: FixedWidthInteger>(
        _ type: Int32, of unit: Unit.Type, terminator: Int
    ) throws(SQLStatementError) -> [Unit]? {
        var value: [Unit] = []
        var piece = [Unit](repeating: 0, count: 1024)
        while true {
            var indicator: SQLLEN = 0
            let size = piece.count * MemoryLayout<Unit>.stride
            let code = piece.withUnsafeMutableBytes {
                SQLGetData(handle.value, number, SQLSMALLINT(type), $0.baseAddress, SQLLEN(size), &indicator)
            }
            if code == SQL_NO_DATA { return value }
            guard ODBC.isSuccess(code) else { throw ODBC.failure(handle, .statement) }
            if indicator == SQLLEN(SQL_NULL_DATA) { return nil }
            let room = piece.count - terminator
            let isUnknown = indicator == SQLLEN(SQL_NO_TOTAL)
            let available = isUnknown ? Int.max : Int(indicator) / MemoryLayout<Unit>.stride
            value.append(contentsOf: piece.prefix(min(room, available)))
            if !isUnknown, available <= room { return value }
            // The rest in one piece where its length is known.
            let rest = isUnknown ? 65536 : min(available - room, 1 << 22) + terminator
            if piece.count < rest { piece = [Unit](repeating: 0, count: rest) }
        }
    }
}
