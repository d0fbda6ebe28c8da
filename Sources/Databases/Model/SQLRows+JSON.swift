import Core
import Foundation

extension SQLRows {
    /// Appends the rows as JSON: an array with an object for each row (server-api 2.3, `resultSet`).
    ///
    /// Integers and decimals keep all their digits; bytes become base64; numbers that JSON lacks become the strings that JavaScript's `Number` reads:
    /// `NaN`, `Infinity`, `-Infinity`. A string of a database that is not UTF-8 is not UTF-8 in `output` either.
    public func appendJSON(to output: inout [UInt8]) {
        // One array, as an array for each key would be retained and released for each value.
        var keys: [UInt8] = []
        let keyRanges = columns.enumerated().map { index, column in
            let start = keys.count
            keys.append(UInt8(ascii: index == 0 ? "{" : ","))
            var column = column
            column.withUTF8 { JSONValue.write(string: $0, to: &keys) }
            keys.append(UInt8(ascii: ":"))
            return start..<keys.count
        }
        output.reserveCapacity(output.count + bytes.count + cells.count * 5 + count * (keys.count + 2) + 2)
        output.append(UInt8(ascii: "["))
        keys.withUnsafeBufferPointer { keys in
            bytes.withUnsafeBufferPointer { bytes in
                var column = 0
                for (index, cell) in cells.enumerated() {
                    if column == 0, index > 0 { output.append(UInt8(ascii: ",")) }
                    output.append(contentsOf: UnsafeBufferPointer(rebasing: keys[keyRanges[column]]))
                    output.appendJSON(cell.kind, UnsafeBufferPointer(rebasing: bytes[cell.range]))
                    column += 1
                    if column == keyRanges.count {
                        output.append(UInt8(ascii: "}"))
                        column = 0
                    }
                }
            }
        }
        output.append(UInt8(ascii: "]"))
    }
}

extension [UInt8] {
    fileprivate mutating func appendJSON(_ kind: SQLRows.Cell.Kind, _ content: UnsafeBufferPointer<UInt8>) {
        switch kind {
        case .null: append(contentsOf: "null".utf8)
        case .false: append(contentsOf: "false".utf8)
        case .true: append(contentsOf: "true".utf8)
        case .integer: append(contentsOf: content)
        case .real, .decimal: if !appendJSON(decimal: content) { JSONValue.write(string: content, to: &self) }
        case .text, .day, .time, .timestamp: JSONValue.write(string: content, to: &self)
        case .bytes:
            append(UInt8(ascii: "\""))
            append(contentsOf: Data(buffer: content).base64EncodedData())
            append(UInt8(ascii: "\""))
        }
    }

    /// Appends a decimal in the form that JSON requires: databases also write `.5`, `-.5` and `+5`.
    ///
    /// - Returns: false, and appends nothing, when the string is not a number.
    private mutating func appendJSON(decimal: UnsafeBufferPointer<UInt8>) -> Bool {
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        var digits = decimal[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        guard let first = digits.first, isDigit(first) || first == UInt8(ascii: "."),
            let last = digits.last, isDigit(last),
            digits.allSatisfy({ isDigit($0) || "eE+-.".utf8.contains($0) })
        else { return false }
        while digits.count > 1, digits.first == UInt8(ascii: "0"), isDigit(digits[digits.startIndex + 1]) {
            digits = digits.dropFirst()
        }
        if isNegative { append(UInt8(ascii: "-")) }
        if first == UInt8(ascii: ".") { append(UInt8(ascii: "0")) }
        append(contentsOf: UnsafeBufferPointer(rebasing: digits))
        return true
    }
}
