import CODBC

/// A statement's parameters, bound. Must live until the statement has run.
final class ODBCParameters {
    /// Each parameter's bytes, and in front of them its length or that it is NULL.
    private var buffers: [UnsafeMutableRawPointer] = []

    init(_ values: [SQLValue], _ handle: ODBCHandle) throws(SQLStatementError) {
        for (index, value) in values.enumerated() {
            let code = bind(value, SQLUSMALLINT(index + 1), handle)
            guard ODBC.isSuccess(code) else { throw ODBC.failure(handle, .statement) }
        }
    }

    deinit {
        buffers.forEach { $0.deallocate() }
    }

    private func bind(_ value: SQLValue, _ number: SQLUSMALLINT, _ handle: ODBCHandle) -> SQLRETURN {
        switch value {
        case .null: bind(nil, as: SQL_C_WCHAR, SQL_WVARCHAR, size: 1, number, handle)
        case .bool(let bool):
            withUnsafeBytes(of: UInt8(bool ? 1 : 0)) { bind($0, as: SQL_C_BIT, SQL_BIT, size: 1, number, handle) }
        case .integer(let integer) where Int32(exactly: integer) != nil:
            // Not all drivers (Oracle's) know the larger type.
            withUnsafeBytes(of: Int32(truncatingIfNeeded: integer)) {
                bind($0, as: SQL_C_LONG, SQL_INTEGER, size: 10, number, handle)
            }
        case .integer(let integer):
            withUnsafeBytes(of: integer) { bind($0, as: SQL_C_SBIGINT, SQL_BIGINT, size: 19, number, handle) }
        case .real(let real):
            withUnsafeBytes(of: real) { bind($0, as: SQL_C_DOUBLE, SQL_DOUBLE, size: 15, number, handle) }
        case .decimal(let text), .text(let text), .day(let text), .time(let text), .timestamp(let text):
            bind(text, number, handle)
        case .instant(let date):
            withUnsafeBytes(of: Self.timestamp(CivilTime(date))) {
                bind($0, as: SQL_C_TYPE_TIMESTAMP, SQL_TYPE_TIMESTAMP, size: 23, digits: 3, number, handle)
            }
        case .bytes(let bytes):
            bytes.withUnsafeBytes {
                bind(
                    $0, as: SQL_C_BINARY, bytes.count > 8000 ? SQL_LONGVARBINARY : SQL_VARBINARY,
                    size: max(1, bytes.count), number, handle)
            }
        }
    }

    private func bind(_ text: String, _ number: SQLUSMALLINT, _ handle: ODBCHandle) -> SQLRETURN {
        Array(text.utf16).withUnsafeBytes {
            let count = $0.count / 2
            return bind(
                $0, as: SQL_C_WCHAR, count > 4000 ? SQL_WLONGVARCHAR : SQL_WVARCHAR, size: max(1, count), number, handle
            )
        }
    }

    /// - Parameter bytes: copied; nil for NULL.
    private func bind(
        _ bytes: UnsafeRawBufferPointer?, as cType: Int32, _ sqlType: Int32, size: Int, digits: Int16 = 0,
        _ number: SQLUSMALLINT, _ handle: ODBCHandle
    ) -> SQLRETURN {
        let count = bytes?.count ?? 0
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: 16 + max(1, count), alignment: 16)
        buffers.append(buffer)
        let indicator = buffer.bindMemory(to: SQLLEN.self, capacity: 1)
        indicator.pointee = bytes == nil ? SQLLEN(SQL_NULL_DATA) : SQLLEN(count)
        let content = buffer + 16
        if let bytes { UnsafeMutableRawBufferPointer(start: content, count: count).copyMemory(from: bytes) }
        return SQLBindParameter(
            handle.value, number, SQLSMALLINT(SQL_PARAM_INPUT), SQLSMALLINT(cType), SQLSMALLINT(sqlType), SQLULEN(size),
            digits, content, SQLLEN(count), indicator)
    }

    private static func timestamp(_ time: CivilTime) -> SQL_TIMESTAMP_STRUCT {
        SQL_TIMESTAMP_STRUCT(
            year: SQLSMALLINT(clamping: time.year), month: SQLUSMALLINT(time.month), day: SQLUSMALLINT(time.day),
            hour: SQLUSMALLINT(time.hour), minute: SQLUSMALLINT(time.minute), second: SQLUSMALLINT(time.second),
            fraction: SQLUINTEGER(time.millisecond * 1_000_000))
    }
}
