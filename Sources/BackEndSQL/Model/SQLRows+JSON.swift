import Foundation

extension SQLRows {
    /// Appends the rows as JSON text: an array with an object for each row (server-api 2.3, `resultSet`).
    ///
    /// Integers and decimals keep all their digits; bytes become base64 text; what JSON has no number for becomes the text that
    /// JavaScript's `Number` reads: `NaN`, `Infinity`, `-Infinity`.
    public func appendJSON(to output: inout [UInt8]) {
        let keys = columns.enumerated().map { index, column in
            var key: [UInt8] = index == 0 ? [UInt8(ascii: "{")] : [UInt8(ascii: ",")]
            key.appendJSON(column)
            key.append(UInt8(ascii: ":"))
            return key
        }
        output.append(UInt8(ascii: "["))
        var column = 0
        for (index, value) in values.enumerated() {
            if column == 0, index > 0 { output.append(UInt8(ascii: ",")) }
            output.append(contentsOf: keys[column])
            output.appendJSON(value)
            column += 1
            if column == keys.count {
                output.append(UInt8(ascii: "}"))
                column = 0
            }
        }
        output.append(UInt8(ascii: "]"))
    }
}

extension [UInt8] {
    fileprivate mutating func appendJSON(_ value: SQLValue) {
        switch value {
        case .null: append(contentsOf: "null".utf8)
        case .bool(let bool): append(contentsOf: (bool ? "true" : "false").utf8)
        case .integer(let integer): append(contentsOf: String(integer).utf8)
        case .real(let real) where real.isFinite: append(contentsOf: real.shortest.utf8)
        case .real(let real): appendJSON(real.isNaN ? "NaN" : real > 0 ? "Infinity" : "-Infinity")
        case .decimal(let text):
            if let number = JSONNumber(text) { append(contentsOf: number.text.utf8) } else { appendJSON(text) }
        case .text(let text), .day(let text), .time(let text), .timestamp(let text): appendJSON(text)
        case .instant(let date): appendJSON(CivilTime(date).isoText)
        case .bytes(let bytes): appendJSON(Data(bytes).base64EncodedString())
        }
    }

    fileprivate mutating func appendJSON(_ text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for (index, byte) in utf8.enumerated()
            where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                append(contentsOf: utf8[start..<index])
                appendEscaped(byte)
                start = index + 1
            }
            append(contentsOf: utf8[start...])
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(contentsOf: [UInt8(ascii: "\\"), byte])
        case UInt8(ascii: "\n"): append(contentsOf: "\\n".utf8)
        case UInt8(ascii: "\r"): append(contentsOf: "\\r".utf8)
        case UInt8(ascii: "\t"): append(contentsOf: "\\t".utf8)
        default: append(contentsOf: "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
        }
    }
}

extension Double {
    /// Whole numbers without the fraction that Swift's description gives them.
    fileprivate var shortest: String {
        if let whole = Int64(exactly: self), whole.magnitude < 1 << 53 { String(whole) } else { description }
    }
}

/// A decimal's text in the form that JSON wants: databases also write `.5`, `-.5` and `+5`.
private struct JSONNumber {
    let text: String

    init?(_ decimal: String) {
        var digits = Substring(decimal)
        let isNegative = digits.first == "-"
        if isNegative || digits.first == "+" { digits = digits.dropFirst() }
        guard let first = digits.utf8.first, let last = digits.utf8.last else { return nil }
        let allowed = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || "eE+-.".utf8.contains($0) }
        guard allowed, (0x30...0x39).contains(last), first != UInt8(ascii: "e") else { return nil }
        if first == UInt8(ascii: ".") { digits = "0" + digits }
        while digits.utf8.count > 1, digits.first == "0", digits.dropFirst().first?.isNumber == true {
            digits = digits.dropFirst()
        }
        text = (isNegative ? "-" : "") + digits
    }
}
