extension JSONValue: CustomStringConvertible {
    /// The value as `JSON.stringify` would write it: no blanks, members in order, JavaScript's spelling of numbers.
    public var text: String {
        var utf8: [UInt8] = []
        write(to: &utf8)
        return String(decoding: utf8, as: UTF8.self)
    }

    public var description: String { text }

    /// Appends the value's JSON as UTF-8.
    public func write(to utf8: inout [UInt8]) {
        switch self {
        case .null: utf8.append(contentsOf: "null".utf8)
        case .bool(let bool): utf8.append(contentsOf: (bool ? "true" : "false").utf8)
        case .number(let number): utf8.append(contentsOf: Self.spelling(of: number).utf8)
        case .string(let string): Self.writeString(string, to: &utf8)
        case .array(let elements):
            utf8.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { utf8.append(UInt8(ascii: ",")) }
                element.write(to: &utf8)
            }
            utf8.append(UInt8(ascii: "]"))
        case .object(let object):
            utf8.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { utf8.append(UInt8(ascii: ",")) }
                Self.writeString(member.key, to: &utf8)
                utf8.append(UInt8(ascii: ":"))
                member.value.write(to: &utf8)
            }
            utf8.append(UInt8(ascii: "}"))
        }
    }

    /// JavaScript's `Number.prototype.toString` (ECMA-262, Number::toString): the shortest digits that read back the
    /// same, positional between 1e-7 and 1e21. Infinity and NaN become `null`, as in `JSON.stringify`.
    static func spelling(of number: Double) -> String {
        guard number.isFinite else { return "null" }
        if number == 0 { return "0" }
        if number.rounded() == number, abs(number) < 9_007_199_254_740_992 { return String(Int64(number)) }

        // Swift also prints the shortest digits; only the notation differs, so reuse the digits.
        let swift = abs(number).description.split(separator: "e")
        let mantissa = swift[0].split(separator: ".", omittingEmptySubsequences: false)
        let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
        var digits = mantissa[0] + fraction
        var point = mantissa[0].count + (swift.count > 1 ? Int(swift[1]) ?? 0 : 0)
        while digits.first == "0" {
            digits.removeFirst()
            point -= 1
        }
        while digits.last == "0" { digits.removeLast() }

        let sign = number < 0 ? "-" : ""
        let zeros = { (count: Int) in String(repeating: "0", count: count) }
        switch point {
        case digits.count...21: return sign + digits + zeros(point - digits.count)
        case 1...21: return sign + digits.prefix(point) + "." + digits.dropFirst(point)
        case -5...0: return sign + "0." + zeros(-point) + digits
        default:
            let exponent = point - 1
            let head = digits.prefix(1) + (digits.count > 1 ? "." + digits.dropFirst() : "")
            return sign + head + "e" + (exponent < 0 ? "-" : "+") + String(abs(exponent))
        }
    }

    private static func writeString(_ string: String, to utf8: inout [UInt8]) {
        var string = string
        string.withUTF8 { write(string: $0, to: &utf8) }
    }

    /// Writes UTF-8 bytes as a JSON string. Bytes that are not UTF-8 are copied.
    package static func write(string bytes: UnsafeBufferPointer<UInt8>, to utf8: inout [UInt8]) {
        utf8.append(UInt8(ascii: "\""))
        var start = 0
        while let index = bytes.indexOfEscape(from: start) {
            utf8.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
            writeEscaped(bytes[index], to: &utf8)
            start = index + 1
        }
        utf8.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        utf8.append(UInt8(ascii: "\""))
    }

    private static func writeEscaped(_ byte: UInt8, to utf8: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): utf8 += [UInt8(ascii: "\\"), byte]
        case 0x08: utf8 += "\\b".utf8
        case 0x09: utf8 += "\\t".utf8
        case 0x0A: utf8 += "\\n".utf8
        case 0x0C: utf8 += "\\f".utf8
        case 0x0D: utf8 += "\\r".utf8
        default: utf8 += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the index of the first byte at or after `start` that JSON escapes: a control character, `"` or `\`.
    fileprivate func indexOfEscape(from start: Int) -> Int? {
        self[start...].firstIndex { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
    }
}
