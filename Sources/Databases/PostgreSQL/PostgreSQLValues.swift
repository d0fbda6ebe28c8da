import CPostgres

/// Values in PostgreSQL's textual format.
enum PostgreSQLValues {
    /// Appends one cell.
    ///
    /// - Parameters:
    ///   - type: the column's OID in pg_type. Types without a case (json, arrays, uuid, enums …) are strings.
    ///   - exactNumbers: whether BIGINT and NUMERIC are strings.
    static func read(
        _ result: OpaquePointer, _ row: Int32, _ column: Int32, _ type: Oid, exactNumbers: Bool,
        into cells: inout SQLRows
    ) {
        guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else {
            return cells.append(.null)
        }
        let count = Int(PQgetlength(result, row, column))
        start.withMemoryRebound(to: UInt8.self, capacity: count) { start in
            append(UnsafeBufferPointer(start: start, count: count), type, exactNumbers, to: &cells)
        }
    }

    private static func append(
        _ text: UnsafeBufferPointer<UInt8>, _ type: Oid, _ exactNumbers: Bool, to cells: inout SQLRows
    ) {
        switch type {
        case 16: cells.append(.bool(text.first == UInt8(ascii: "t")))  // bool
        case 20 where exactNumbers, 1700 where exactNumbers: cells.append(.text, text)
        case 20, 21, 23, 26:  // int8, int2, int4, oid
            let digits = text.first == UInt8(ascii: "-") ? text[1...] : text[...]
            let isInteger = !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
            cells.append(isInteger ? .integer : .text, text)
        case 700, 701:  // float4, float8
            guard let number = Double(String(decoding: text, as: UTF8.self)) else { return cells.append(.text, text) }
            cells.append(real: number)
        case 1700: cells.append(.decimal, text)  // numeric
        case 17:  // bytea
            guard let bytes = binary(text) else { return cells.append(.text, text) }
            cells.append(.bytes, bytes)
        case 1082: cells.append(.day, text)  // date
        case 1083, 1266: cells.append(.time, text)  // time, timetz
        case 1114, 1184:  // timestamp, timestamptz
            guard let time = CivilTime(sqlText: text) else { return cells.append(.timestamp, text) }
            cells.append(time)
        default: cells.append(.text, text)
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
        case .time, .text, .null: 25  // text; prose: allowed, the name of a type
        }
    }

    private static func binary(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        bytes.starts(with: "\\x".utf8) ? Hexadecimal.bytes(bytes.dropFirst(2)) : nil
    }
}
