import Core
import Foundation

/// Reads the object or array literal of JavaScript that a stylesheet writes, and returns it as JSON.
///
/// The original accepted more than JSON here: the stylesheet that Worklight Studio put into every HTTP adapter writes
/// `{ 'Items': [ {'title': '…'}, ] }`. Nothing is evaluated; besides JSON these are read:
///
/// - names without quotes and names that are numbers; strings in single quotes;
/// - in strings: raw line breaks and control characters, JavaScript's escapes, a backslash at a line's end;
/// - a comma behind the last element or member; an element that is left out is `null`, as in `[1,,2]`;
/// - comments;
/// - numbers as JavaScript writes them (`.5`, `+1`, `0x1F`, octal `017`). `NaN` and `Infinity`, which XPath's `number()` makes of values
///   that are not numbers, are `null`, as in `JSON.stringify`;
/// - `undefined`: `null` in an array; a member of an object is left out.
struct ObjectLiteral {
    /// Deeper nesting is refused, as for JSON.
    private static let maximumDepth = JSONValue.maximumDepth

    private let bytes: [UInt8]
    private var place = 0
    private var json: [UInt8] = []

    private init(_ text: String) {
        bytes = Array(text.utf8)
        json.reserveCapacity(bytes.count)
    }

    /// Returns the literal as a JSON object or array; `nil` when there are only blanks and comments.
    ///
    /// - Throws: ``ObjectLiteralError`` for everything else.
    static func json(_ text: String) throws(ObjectLiteralError) -> String? {
        var reader = ObjectLiteral(text)
        try reader.skipBlanks()
        guard let first = reader.current else { return nil }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            throw reader.fail(
                first == UInt8(ascii: "<")
                    ? "expected '{' or '['; if this is XML, "
                        + "<xsl:output method=\"text\"/> is missing"
                    : "expected '{' or '['")
        }
        try reader.readValue(depth: 0)
        try reader.skipBlanks()
        guard reader.current == nil else { throw reader.fail("expected the end") }
        return String(decoding: reader.json, as: UTF8.self)
    }

    // MARK: Values

    /// Reads a value.
    ///
    /// - Returns: whether it has a value: false for `undefined`, for which nothing is written.
    @discardableResult
    private mutating func readValue(depth: Int) throws(ObjectLiteralError) -> Bool {
        guard depth < Self.maximumDepth else {
            throw fail("more than \(Self.maximumDepth) arrays and objects inside one another")
        }
        switch current {
        case UInt8(ascii: "{"): try readObject(depth: depth)
        case UInt8(ascii: "["): try readArray(depth: depth)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): try readString()
        case let byte? where isDigit(byte) || "+-.".utf8.contains(byte): try readNumber()
        default: return try readWord()
        }
        return true
    }

    private mutating func readObject(depth: Int) throws(ObjectLiteralError) {
        place += 1
        json.append(UInt8(ascii: "{"))
        var isFirst = true
        while true {
            try skipBlanks()
            if take("}") { break }
            let start = json.count
            if !isFirst { json.append(UInt8(ascii: ",")) }
            try readName()
            try skipBlanks()
            guard take(":") else { throw fail("expected ':'") }
            json.append(UInt8(ascii: ":"))
            try skipBlanks()
            if try readValue(depth: depth + 1) {
                isFirst = false
            } else {
                json.removeSubrange(start...)
            }
            try skipBlanks()
            guard take(",") || current == UInt8(ascii: "}") else { throw fail("expected ',' or '}'") }
        }
        json.append(UInt8(ascii: "}"))
    }

    private mutating func readArray(depth: Int) throws(ObjectLiteralError) {
        place += 1
        json.append(UInt8(ascii: "["))
        var isFirst = true
        while true {
            try skipBlanks()
            if take("]") { break }
            if !isFirst { json.append(UInt8(ascii: ",")) }
            isFirst = false
            if take(",") {
                json += "null".utf8
                continue
            }
            if try !readValue(depth: depth + 1) { json += "null".utf8 }
            try skipBlanks()
            guard take(",") || current == UInt8(ascii: "]") else { throw fail("expected ',' or ']'") }
        }
        json.append(UInt8(ascii: "]"))
    }

    private mutating func readName() throws(ObjectLiteralError) {
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): try readString()
        case let byte? where isDigit(byte) || byte == UInt8(ascii: "."):
            json.append(UInt8(ascii: "\""))
            try readNumber()
            json.append(UInt8(ascii: "\""))
        default:
            let word = takeWord()
            guard !word.isEmpty else { throw fail("expected a name") }
            json.append(UInt8(ascii: "\""))
            json += word
            json.append(UInt8(ascii: "\""))
        }
    }

    /// - Returns: false for `undefined`.
    private mutating func readWord() throws(ObjectLiteralError) -> Bool {
        let start = place
        switch String(decoding: takeWord(), as: UTF8.self) {
        case "true": json += "true".utf8
        case "false": json += "false".utf8
        case "null", "NaN", "Infinity": json += "null".utf8
        case "undefined": return false
        case let word:
            place = start
            throw fail(word.isEmpty ? "expected a value" : "expected a value; a string must be in quotes")
        }
        return true
    }

    /// Takes letters, digits, `_`, `$` and everything beyond ASCII; not a digit first.
    private mutating func takeWord() -> ArraySlice<UInt8> {
        let start = place
        while let byte = current {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                UInt8(ascii: "$"), 0x80...:
                place += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9") where place > start: place += 1
            default: return bytes[start..<place]
            }
        }
        return bytes[start...]
    }

    // MARK: Numbers

    private mutating func readNumber() throws(ObjectLiteralError) {
        let start = place
        let isNegative = current == UInt8(ascii: "-")
        if isNegative || current == UInt8(ascii: "+") { place += 1 }
        let digits = place
        while let byte = current, isPartOfNumber(byte, after: digits) { place += 1 }
        let text = String(decoding: bytes[digits..<place], as: UTF8.self)
        if text.isEmpty, bytes[digits...].starts(with: "Infinity".utf8) || bytes[digits...].starts(with: "NaN".utf8) {
            _ = try readWord()
            return
        }
        guard let number = Self.number(text) else {
            place = start
            throw fail("expected a number; a string must be in quotes")
        }
        guard number.isFinite else {
            json += "null".utf8
            return
        }
        if isNegative { json.append(UInt8(ascii: "-")) }
        // As written where that is JSON, for digits that a Double would lose.
        let isJSON = text.wholeMatch(of: /(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/) != nil
        json += (isJSON ? text : Int64(exactly: number).map(String.init) ?? "\(number)").utf8
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private func isPartOfNumber(_ byte: UInt8, after start: Int) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): true
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): place > start
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            place > start && bytes[place - 1] | 0x20 == UInt8(ascii: "e") && !isHexadecimal(start)
        default: false
        }
    }

    private func isHexadecimal(_ start: Int) -> Bool {
        start + 1 < bytes.count && bytes[start] == UInt8(ascii: "0") && bytes[start + 1] | 0x20 == UInt8(ascii: "x")
    }

    /// Returns the value of an unsigned number.
    private static func number(_ text: String) -> Double? {
        if text.wholeMatch(of: /0[xX][0-9a-fA-F]+/) != nil {
            return UInt64(text.dropFirst(2), radix: 16).map { Double($0) }
        }
        if text.wholeMatch(of: /0[0-7]+/) != nil { return UInt64(text, radix: 8).map { Double($0) } }
        guard text.wholeMatch(of: /(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/) != nil else { return nil }
        return Double(text)
    }

    // MARK: Strings

    private mutating func readString() throws(ObjectLiteralError) {
        let start = place
        let quote = bytes[place]
        place += 1
        json.append(UInt8(ascii: "\""))
        while let byte = current {
            place += 1
            switch byte {
            case quote:
                json.append(UInt8(ascii: "\""))
                try checkEndOfString(quote)
                return
            case UInt8(ascii: "\\"): try readEscape()
            case UInt8(ascii: "\""): json += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: appendEscaped(UInt16(byte))
            default: json.append(byte)
            }
        }
        place = start
        throw fail("the string that begins here has no end")
    }

    /// Detects an apostrophe in the document that ends a string too early, which deserves a specific message: the following character shows it.
    private func checkEndOfString(_ quote: UInt8) throws(ObjectLiteralError) {
        guard let next = current, next >= 0x80 || Character(Unicode.Scalar(next)).isLetter else { return }
        throw fail(
            "the string ends before this: a \(quote == UInt8(ascii: "'") ? "single" : "double") quote in it must be escaped, "
                + "as \\\(Character(Unicode.Scalar(quote))), by the stylesheet")
    }

    private mutating func readEscape() throws(ObjectLiteralError) {
        guard let escape = current else { return }
        place += 1
        switch escape {
        case UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"),
            UInt8(ascii: "\""), UInt8(ascii: "\\"):
            json += [UInt8(ascii: "\\"), escape]
        case UInt8(ascii: "v"): appendEscaped(0x0B)
        case UInt8(ascii: "0")...UInt8(ascii: "7"): appendEscaped(readOctal(after: escape))
        case UInt8(ascii: "u"): appendEscaped(try readHexadecimal(4))
        case UInt8(ascii: "x"): appendEscaped(try readHexadecimal(2))
        // The line goes on.
        case 0x0A: break
        case 0x0D: _ = take("\n")
        default: json.append(escape)
        }
    }

    private mutating func readHexadecimal(_ count: Int) throws(ObjectLiteralError) -> UInt16 {
        let digits = bytes[place...].prefix(count)
        guard digits.count == count, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fail("expected \(count) hexadecimal digits") }
        place += count
        return unit
    }

    /// Reads the rest of an octal escape such as `\101`: three digits at most, and nothing above `\377`.
    private mutating func readOctal(after first: UInt8) -> UInt16 {
        var unit = UInt16(first - UInt8(ascii: "0"))
        var digits = 1
        while digits < 3, let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "7") {
            let next = unit * 8 + UInt16(byte - UInt8(ascii: "0"))
            if next > 0xFF { break }
            unit = next
            digits += 1
            place += 1
        }
        return unit
    }

    /// Half of a surrogate pair has no other spelling in JSON, so all go by their numbers.
    private mutating func appendEscaped(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        json += Array("\\u".utf8) + Array(repeating: UInt8(ascii: "0"), count: 4 - digits.count) + Array(digits.utf8)
    }

    // MARK: Reading

    private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    /// Skips white space of JavaScript's and comments.
    private mutating func skipBlanks() throws(ObjectLiteralError) {
        while let byte = current {
            switch byte {
            case 0x20, 0x09...0x0D: place += 1
            case 0xC2 where bytes[place...].starts(with: [0xC2, 0xA0]): place += 2
            case 0xEF where bytes[place...].starts(with: [0xEF, 0xBB, 0xBF]): place += 3
            case UInt8(ascii: "/") where bytes[place...].starts(with: "//".utf8):
                while let byte = current, byte != 0x0A, byte != 0x0D { place += 1 }
            case UInt8(ascii: "/") where bytes[place...].starts(with: "/*".utf8):
                let start = place
                place += 2
                while !bytes[place...].starts(with: "*/".utf8) {
                    guard current != nil else {
                        place = start
                        throw fail("the comment that begins here has no end")
                    }
                    place += 1
                }
                place += 2
            default: return
            }
        }
    }

    private func fail(_ reason: String) -> ObjectLiteralError {
        ObjectLiteralError(reason, in: bytes, at: place)
    }
}

/// The reason why a string is not an object literal of JavaScript, with the position.
struct ObjectLiteralError: Error, Hashable, CustomStringConvertible {
    let reason: String
    /// Counted from 1.
    let line: Int
    /// In characters, counted from 1.
    let column: Int
    /// The part of the line around the position, shortened.
    let excerpt: String

    fileprivate init(_ reason: String, in bytes: [UInt8], at place: Int) {
        self.reason = reason
        let place = min(place, bytes.count)
        line = bytes[..<place].count { $0 == 0x0A } + 1
        let start = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
        let before = String(decoding: bytes[start..<place], as: UTF8.self)
        let after = String(decoding: bytes[place..<end], as: UTF8.self)
        column = before.count + 1
        excerpt =
            ((before.count > 20 ? "…" : "") + before.suffix(20) + after.prefix(30) + (after.count > 30 ? "…" : ""))
            .trimmed
    }

    var description: String {
        "\(reason), at line \(line), column \(column) of the output" + (excerpt.isEmpty ? "" : ", near '\(excerpt)'")
    }
}
