import CPostgres

/// Values in PostgreSQL's text format.
enum PostgreSQLValues {
    /// - Parameters:
    ///   - type: the column's OID in pg_type. Types without a case (json, arrays, uuid, enums …) are text.
    ///   - exactNumbers: whether BIGINT and NUMERIC are texts.
    static func read(
        _ result: OpaquePointer, _ row: Int32, _ column: Int32, _ type: Oid, exactNumbers: Bool
    ) -> SQLValue {
        guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else { return .null }
        let count = Int(PQgetlength(result, row, column))
        return start.withMemoryRebound(to: UInt8.self, capacity: count) { start in
            value(UnsafeBufferPointer(start: start, count: count), type, exactNumbers)
        }
    }

    private static func value(_ bytes: UnsafeBufferPointer<UInt8>, _ type: Oid, _ exactNumbers: Bool) -> SQLValue {
        func text() -> String { String(decoding: bytes, as: UTF8.self) }
        return switch type {
        case 16: .bool(bytes.first == UInt8(ascii: "t"))  // bool
        case 20 where exactNumbers, 1700 where exactNumbers: .text(text())
        case 20, 21, 23, 26: Int64(text()).map { .integer($0) } ?? .text(text())  // int8, int2, int4, oid
        case 700, 701: Double(text()).map { .real($0) } ?? .text(text())  // float4, float8
        case 1700: .decimal(text())  // numeric
        case 17: binary(bytes).map { .bytes($0) } ?? .text(text())  // bytea
        case 1082: .day(text())  // date
        case 1083, 1266: .time(text())  // time, timetz
        case 1114, 1184: .timestamp(CivilTime(sqlText: text())?.isoText ?? text())  // timestamp, timestamptz
        default: .text(text())
        }
    }

    /// The type, by its OID in pg_type, that a parameter has by itself.
    static func type(_ parameter: SQLValue) -> Oid {
        switch parameter {
        case .bool: 16  // bool
        case .integer: 20  // int8
        case .real: 701  // float8
        case .decimal: 1700  // numeric
        case .bytes: 17  // bytea
        case .instant, .timestamp: 1184  // timestamptz
        case .day: 1082  // date
        case .time, .text, .null: 25  // text
        }
    }

    private static func binary(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        bytes.starts(with: "\\x".utf8) ? Hexadecimal.bytes(bytes.dropFirst(2)) : nil
    }
}
