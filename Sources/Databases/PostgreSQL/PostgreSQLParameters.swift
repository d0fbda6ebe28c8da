/// Parameters in PostgreSQL's textual format. The server infers their types from the columns.
struct PostgreSQLParameters {
    private let texts: [[CChar]?]

    init(_ values: [SQLValue]) throws(SQLStatementError) {
        guard values.count <= 65535 else {
            throw SQLStatementError(
                .statement, "PostgreSQL takes 65535 parameters at most, \(values.count) were passed")
        }
        var texts: [[CChar]?] = []
        for (index, value) in values.enumerated() {
            let text = Self.text(value)
            guard text?.utf8.contains(0) != true else {
                throw SQLStatementError(
                    .statement, "parameter \(index + 1) holds a NUL character, which PostgreSQL cannot store")
            }
            texts.append(text?.utf8CString.map { $0 })
        }
        self.texts = texts
    }

    /// Calls `body` with the values' addresses, NULL for NULL.
    func withPointers<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        // One block, so that one address stays valid for all.
        var offsets: [Int?] = []
        var block: [CChar] = []
        block.reserveCapacity(texts.reduce(1) { $0 + ($1?.count ?? 0) })
        for text in texts {
            offsets.append(text.map { _ in block.count })
            if let text { block.append(contentsOf: text) }
        }
        return block.withUnsafeBufferPointer { block in
            body(offsets.map { offset in offset.flatMap { block.baseAddress?.advanced(by: $0) } })
        }
    }

    private static func text(_ value: SQLValue) -> String? {
        switch value {
        case .null: nil
        case .bool(let bool): bool ? "true" : "false"
        case .integer(let integer): String(integer)
        case .real(let real): real.isInfinite ? (real > 0 ? "Infinity" : "-Infinity") : real.isNaN ? "NaN" : "\(real)"
        case .decimal(let text), .text(let text), .day(let text), .time(let text), .timestamp(let text): text
        case .instant(let date): CivilTime(date).text(separator: " ") + "+00"
        case .bytes(let bytes): "\\x" + Hexadecimal.text(bytes)
        }
    }
}

/// Bytes as pairs of hexadecimal digits.
enum Hexadecimal {
    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil when a character is not a digit or one is missing.
    static func bytes(_ digits: UnsafeBufferPointer<UInt8>.SubSequence) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var position = digits.startIndex
        while position < digits.endIndex {
            guard let high = value(digits[position]), let low = value(digits[position + 1]) else { return nil }
            bytes.append(high << 4 | low)
            position += 2
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x57
        case 0x41...0x46: digit - 0x37
        default: nil
        }
    }
}
