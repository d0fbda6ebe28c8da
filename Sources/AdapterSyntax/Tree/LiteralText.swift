/// The values of literals.
enum LiteralText {
    /// Returns the value of a string literal; lone surrogates become U+FFFD.
    static func value(ofString literal: String) -> String {
        unescaped(String(literal.dropFirst().dropLast()))
    }

    /// Resolves the escapes of a string or a name.
    static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        let units = Array(text.utf16)
        var result: [UInt16] = []
        var index = 0
        while index < units.count {
            if units[index] != 0x5C {
                result.append(units[index])
                index += 1
            } else {
                index += 1
                guard index < units.count else { break }
                index = escape(in: units, at: index, into: &result)
            }
        }
        return String(decoding: result, as: UTF16.self)
    }

    /// Resolves the escape whose first character after the backslash is at `index`.
    ///
    /// - Returns: the index behind it.
    private static func escape(in units: [UInt16], at index: Int, into result: inout [UInt16]) -> Int {
        let unit = units[index]
        switch unit {
        case 0x6E: result.append(0x0A)
        case 0x72: result.append(0x0D)
        case 0x74: result.append(0x09)
        case 0x62: result.append(0x08)
        case 0x66: result.append(0x0C)
        case 0x76: result.append(0x0B)
        case 0x0D: return index + 1 < units.count && units[index + 1] == 0x0A ? index + 2 : index + 1
        case 0x0A, 0x2028, 0x2029: break
        case 0x78: return hexadecimal(in: units, from: index + 1, digits: 2, into: &result)
        case 0x75:
            if index + 1 < units.count, units[index + 1] == 0x7B {
                return codePoint(in: units, from: index + 2, into: &result)
            }
            return hexadecimal(in: units, from: index + 1, digits: 4, into: &result)
        case 0x30...0x37:
            var value: UInt16 = 0
            var end = index
            while end < units.count, end < index + 3, (0x30...0x37).contains(units[end]), value * 8 < 256 {
                value = value * 8 + (units[end] - 0x30)
                end += 1
            }
            result.append(value)
            return end
        default: result.append(unit)
        }
        return index + 1
    }

    private static func hexadecimal(
        in units: [UInt16], from start: Int, digits: Int, into result: inout [UInt16]
    ) -> Int {
        var value: UInt32 = 0
        var index = start
        while index < min(units.count, start + digits), units[index] < 0x80,
            let digit = Lexer.hexValue(UInt8(units[index]))
        {
            value = value << 4 | digit
            index += 1
        }
        result.append(UInt16(truncatingIfNeeded: value))
        return index
    }

    private static func codePoint(in units: [UInt16], from start: Int, into result: inout [UInt16]) -> Int {
        var value: UInt32 = 0
        var index = start
        while index < units.count, units[index] < 0x80, value <= 0x10FFFF,
            let digit = Lexer.hexValue(UInt8(units[index]))
        {
            value = value << 4 | digit
            index += 1
        }
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        result.append(contentsOf: String(Character(scalar)).utf16)
        return index < units.count && units[index] == 0x7D ? index + 1 : index
    }
}
