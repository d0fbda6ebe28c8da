/// The error for a string that is not JSON, with its position.
public struct JSONSyntaxError: Error, Hashable, CustomStringConvertible {
    /// The problem, for example "expected a value".
    public let reason: String
    /// Where, counted in bytes of UTF-8 from 0.
    public let offset: Int

    public var description: String { "\(reason) at byte \(offset)" }
}

extension JSONValue {
    /// The deepest nesting of arrays and objects: deeper JSON is refused rather than risking the stack.
    public static let maximumDepth = 512

    /// Reads RFC 8259 JSON. A key that occurs twice keeps its first position and its last value, as in JavaScript.
    ///
    /// - Throws: ``JSONSyntaxError`` with the position.
    public init(parsing text: String) throws(JSONSyntaxError) {
        try self.init(parsing: text.utf8)
    }

    /// Reads RFC 8259 JSON from UTF-8 bytes.
    ///
    /// - Throws: ``JSONSyntaxError`` with the position.
    public init(parsing utf8: some Sequence<UInt8>) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes: Array(utf8))
        self = try parser.parseDocument()
    }

    /// Checks that a string is RFC 8259 JSON, without its value in memory. Numbers may be out of the range of `Double`.
    ///
    /// - Throws: ``JSONSyntaxError`` with the position.
    package static func check(_ text: String) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes: Array(text.utf8), keepsValues: false)
        _ = try parser.parseDocument()
    }
}

/// A recursive-descent reader over UTF-8 bytes.
struct JSONParser {
    private let bytes: [UInt8]
    /// True if arrays and objects get their elements and members; false if the input is only checked.
    private let keepsValues: Bool
    private var position = 0
    private var depth = 0

    init(bytes: [UInt8], keepsValues: Bool = true) {
        (self.bytes, self.keepsValues) = (bytes, keepsValues)
    }

    mutating func parseDocument() throws(JSONSyntaxError) -> JSONValue {
        skipWhitespace()
        let value = try parseValue()
        skipWhitespace()
        guard position == bytes.count else { throw failure("unexpected characters after the value") }
        return value
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func failure(_ reason: String) -> JSONSyntaxError {
        JSONSyntaxError(reason: position >= bytes.count ? "\(reason), found the end" : reason, offset: position)
    }

    private mutating func skipWhitespace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func parseValue() throws(JSONSyntaxError) -> JSONValue {
        switch current ?? 0 {
        case UInt8(ascii: "{"): try nested { (parser) throws(JSONSyntaxError) in try parser.parseObject() }
        case UInt8(ascii: "["): try nested { (parser) throws(JSONSyntaxError) in try parser.parseArray() }
        case UInt8(ascii: "\""): .string(try parseString())
        case UInt8(ascii: "t"): try parseWord("true", .bool(true))
        case UInt8(ascii: "f"): try parseWord("false", .bool(false))
        case UInt8(ascii: "n"): try parseWord("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber()
        default: throw failure("expected a value")
        }
    }

    private mutating func nested(
        _ body: (inout JSONParser) throws(JSONSyntaxError) -> JSONValue
    ) throws(JSONSyntaxError) -> JSONValue {
        guard depth < JSONValue.maximumDepth else {
            throw failure("nested deeper than \(JSONValue.maximumDepth) levels")
        }
        depth += 1
        position += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func parseObject() throws(JSONSyntaxError) -> JSONValue {
        var object = JSONObject()
        var places: [[UInt8]: Int] = [:]
        skipWhitespace()
        if consume(UInt8(ascii: "}")) { return .object(object) }
        while true {
            skipWhitespace()
            guard current == UInt8(ascii: "\"") else { throw failure("expected a key in double quotes") }
            let key = try parseString()
            skipWhitespace()
            guard consume(UInt8(ascii: ":")) else { throw failure("expected ':' after the key") }
            skipWhitespace()
            let value = try parseValue()
            if keepsValues {
                let name = Array(key.utf8)
                // One look-up for each key; one that occurs again, which is rare, keeps its first position.
                if let place = places.updateValue(object.members.count, forKey: name) {
                    places[name] = place
                    object.replaceUnchecked(at: place, with: value)
                } else {
                    object.appendUnchecked(JSONObject.Member(key: key, value: value))
                }
            }
            skipWhitespace()
            if consume(UInt8(ascii: ",")) { continue }
            if consume(UInt8(ascii: "}")) { return .object(object) }
            throw failure("expected ',' or '}'")
        }
    }

    private mutating func parseArray() throws(JSONSyntaxError) -> JSONValue {
        var array: [JSONValue] = []
        skipWhitespace()
        if consume(UInt8(ascii: "]")) { return .array(array) }
        while true {
            skipWhitespace()
            let value = try parseValue()
            if keepsValues { array.append(value) }
            skipWhitespace()
            if consume(UInt8(ascii: ",")) { continue }
            if consume(UInt8(ascii: "]")) { return .array(array) }
            throw failure("expected ',' or ']'")
        }
    }

    private mutating func parseWord(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        let end = position + word.utf8CodeUnitCount
        let matches =
            end <= bytes.count
            && word.withUTF8Buffer { $0.elementsEqual(bytes[position..<end]) }
        guard matches else { throw failure("expected a value") }
        position = end
        return value
    }

    private mutating func parseNumber() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        _ = consume(UInt8(ascii: "-"))
        if consume(UInt8(ascii: "0")) {
            // No digit follows a leading zero.
        } else {
            try consumeDigits()
        }
        if consume(UInt8(ascii: ".")) { try consumeDigits() }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            try consumeDigits()
        }
        guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)),
            number.isFinite || !keepsValues
        else {
            position = start
            throw failure("number out of range")
        }
        return .number(number)
    }

    private mutating func consumeDigits() throws(JSONSyntaxError) {
        let start = position
        while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        guard position > start else { throw failure("expected a digit") }
    }

    private mutating func parseString() throws(JSONSyntaxError) -> String {
        position += 1
        var text: [UInt8] = []
        while true {
            guard let byte = current else { throw failure("unterminated string") }
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw failure("string is not valid UTF-8")
                }
                return string
            case UInt8(ascii: "\\"):
                position += 1
                try parseEscape(into: &text)
            case 0..<0x20:
                throw failure("control character in a string must be escaped")
            default:
                text.append(byte)
                position += 1
            }
        }
    }

    private mutating func parseEscape(into text: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = current else { throw failure("unterminated string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: Array(String(try parseUnicodeEscape()).utf8))
        default:
            position -= 1
            throw failure("unknown escape")
        }
    }

    /// The scalar of a `\uXXXX` escape, or of two that form a surrogate pair. A lone surrogate, which UTF-8 cannot
    /// hold, becomes U+FFFD.
    private mutating func parseUnicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let first = try parseHexQuad()
        if (0xD800..<0xDC00).contains(first), current == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        {
            let rewind = position
            position += 2
            let second = try parseHexQuad()
            if (0xDC00..<0xE000).contains(second) {
                return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
            }
            position = rewind
        }
        return Unicode.Scalar(first) ?? "\u{FFFD}"
    }

    private mutating func parseHexQuad() throws(JSONSyntaxError) -> UInt32 {
        guard position + 4 <= bytes.count else { throw failure("expected four hexadecimal digits") }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("expected four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
        }
        position += 4
        return value
    }
}
