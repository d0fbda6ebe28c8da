/// Checks that a text is JSON (RFC 8259) without building its value.
struct JSONChecker {
    /// Deeper nesting is not read here; the engine reads it.
    static let maximumDepth = 512

    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The first byte of the value; `nil` when there is none.
    mutating func check() throws(ConversionError) -> UInt8? {
        skipBlanks()
        guard place < bytes.count else { return nil }
        let first = bytes[place]
        var open: [UInt8] = []
        repeat {
            try readValueOrOpening(&open)
        } while try !closes(&open)
        skipBlanks()
        guard place == bytes.count else { throw fail("expected the end") }
        return first
    }

    /// Reads a scalar, or the opening of an array or object up to its first value.
    private mutating func readValueOrOpening(_ open: inout [UInt8]) throws(ConversionError) {
        while true {
            skipBlanks()
            switch current {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard open.count < Self.maximumDepth else {
                    throw fail("more than \(Self.maximumDepth) arrays and objects inside one another")
                }
                let kind = bytes[place]
                place += 1
                skipBlanks()
                open.append(kind)
                if current == kind + 2 { return }
                if kind == UInt8(ascii: "{") { try readKey() }
                continue
            case UInt8(ascii: "\""): return try readString()
            case UInt8(ascii: "t"): return try readWord("true")
            case UInt8(ascii: "f"): return try readWord("false")
            case UInt8(ascii: "n"): return try readWord("null")
            default: return try readNumber()
            }
        }
    }

    /// After a value: closes what ends here. False when another value follows.
    private mutating func closes(_ open: inout [UInt8]) throws(ConversionError) -> Bool {
        while let kind = open.last {
            skipBlanks()
            if current == kind + 2 {
                place += 1
                open.removeLast()
            } else if current == UInt8(ascii: ",") {
                place += 1
                if kind == UInt8(ascii: "{") { try readKey() }
                return false
            } else {
                throw fail(kind == UInt8(ascii: "{") ? "expected ',' or '}'" : "expected ',' or ']'")
            }
        }
        return true
    }

    private mutating func readKey() throws(ConversionError) {
        skipBlanks()
        guard current == UInt8(ascii: "\"") else { throw fail("expected a name in double quotes") }
        try readString()
        skipBlanks()
        guard current == UInt8(ascii: ":") else { throw fail("expected ':'") }
        place += 1
    }

    private mutating func readString() throws(ConversionError) {
        place += 1
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                return
            case UInt8(ascii: "\\"):
                place += 1
                guard let escape = current, "\"\\/bfnrtu".utf8.contains(escape) else { throw fail("unknown escape") }
                place += 1
                guard escape == UInt8(ascii: "u") else { continue }
                for _ in 0..<4 {
                    guard let digit = current, Character(Unicode.Scalar(digit)).isHexDigit else {
                        throw fail("expected four hexadecimal digits")
                    }
                    place += 1
                }
            case 0..<0x20: throw fail("a control character in a string")
            default: place += 1
            }
        }
        throw fail("the text ends inside a string")
    }

    private mutating func readWord(_ word: String) throws(ConversionError) {
        guard bytes[place...].starts(with: word.utf8) else { throw fail("expected a value") }
        place += word.utf8.count
    }

    private mutating func readNumber() throws(ConversionError) {
        let start = place
        if current == UInt8(ascii: "-") { place += 1 }
        if current == UInt8(ascii: "0") { place += 1 } else { try readDigits(from: start) }
        if current == UInt8(ascii: ".") {
            place += 1
            try readDigits(from: place)
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            place += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { place += 1 }
            try readDigits(from: place)
        }
    }

    private mutating func readDigits(from start: Int) throws(ConversionError) {
        let first = place
        while let byte = current, byte >= 0x30, byte <= 0x39 { place += 1 }
        if place == first {
            place = start
            throw fail("expected a value")
        }
    }

    private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipBlanks() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
    }

    private func fail(_ reason: String) -> ConversionError {
        let before = bytes[..<min(place, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let column = place - (before.lastIndex(of: 0x0A) ?? -1)
        return .json("\(reason) at line \(line), column \(column)")
    }
}
