/// Cuts a script into tokens, one at each request.
///
/// If only the grammar decides what a character means, the lexer takes the operator. The parser knows better and has the lexer read the
/// same position again as a regular expression, as a template's continuation or as XML.
struct Lexer {
    /// The script's UTF-8 with four zeros behind it, so that reading ahead needs no test for the end.
    let bytes: [UInt8]
    /// The length of the script in `bytes`.
    let count: Int
    var position = 0

    init(_ source: [UInt8]) {
        bytes = source + [0, 0, 0, 0]
        count = source.count
    }

    /// Returns the token that begins at `offset` or behind blanks there, which must be the border of a token.
    func token(at offset: Int) -> Token? {
        var lexer = self
        lexer.position = offset
        return try? lexer.next()
    }

    mutating func next() throws(ParserError) -> Token {
        let followsLineBreak = try skipBlanks()
        let start = position
        var token = Token(kind: .end, start: start, end: start, followsLineBreak: followsLineBreak)
        guard position < count else { return token }
        let byte = bytes[position]
        if Self.isNamePart(byte) || byte == UInt8(ascii: "\\") || byte >= 0x80 {
            if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
                token.kind = try number()
            } else {
                token.isEscaped = try name()
                token.kind = token.isEscaped ? .identifier : Keywords.kind(of: bytes, start, position)
            }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            try string(quote: byte)
            token.kind = .string
        } else if byte == UInt8(ascii: "`") {
            position += 1
            token.kind = try templatePart(openedAt: start)
        } else if byte == UInt8(ascii: "."), Self.isDigit(bytes[position + 1]) {
            token.kind = try number()
        } else if byte == UInt8(ascii: "#"), Self.isNamePart(bytes[position + 1]) || bytes[position + 1] >= 0x80 {
            position += 1
            token.isEscaped = try name()
            token.kind = .privateName
        } else {
            token.kind = try sign(byte)
        }
        token.end = position
        return token
    }

    /// Skips blanks, ends of lines and comments.
    ///
    /// - Returns: whether a line ended, or the script begins here.
    private mutating func skipBlanks() throws(ParserError) -> Bool {
        var sawLineBreak = position == 0
        while position < count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0B, 0x0C:
                position += 1
            case 0x0A, 0x0D:
                position += 1
                sawLineBreak = true
            case UInt8(ascii: "/") where bytes[position + 1] == UInt8(ascii: "/"):
                skipLine()
            case UInt8(ascii: "/") where bytes[position + 1] == UInt8(ascii: "*"):
                if try skipBlockComment() { sawLineBreak = true }
            // HTML comments hid scripts from browsers of the nineties: still a comment up to the end of the line.
            case UInt8(ascii: "<") where starts(with: "<!--"):
                skipLine()
            case UInt8(ascii: "-") where sawLineBreak && starts(with: "-->"):
                skipLine()
            case UInt8(ascii: "#") where position == 0 && bytes[1] == UInt8(ascii: "!"):
                skipLine()
            case 0x80...:
                if let width = SourceText.lineTerminatorWidth(in: bytes, at: position) {
                    position += width
                    sawLineBreak = true
                } else if let (scalar, width) = scalar(at: position), Self.isBlank(scalar) {
                    position += width
                } else {
                    return sawLineBreak
                }
            default:
                return sawLineBreak
            }
        }
        return sawLineBreak
    }

    private mutating func skipLine() {
        while position < count, SourceText.lineTerminatorWidth(in: bytes, at: position) == nil { position += 1 }
    }

    /// - Returns: whether a line ended in it.
    private mutating func skipBlockComment() throws(ParserError) -> Bool {
        let start = position
        var sawLineBreak = false
        position += 2
        while position < count {
            if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
                position += 2
                return sawLineBreak
            }
            if SourceText.lineTerminatorWidth(in: bytes, at: position) != nil { sawLineBreak = true }
            position += 1
        }
        throw ParserError(
            "the comment that begins here with /* has no end: expected */", at: SourceRange(start, start + 2))
    }

    func starts(with text: StaticString) -> Bool {
        guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
        for index in 0..<text.utf8CodeUnitCount where bytes[position + index] != text.utf8Start[index] { return false }
        return true
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// Returns whether an ASCII character can be in a name.
    static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: false
        }
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0xFEFF || scalar.properties.generalCategory == .spaceSeparator
    }

    /// Returns the character at `index` and its width in UTF-8.
    func scalar(at index: Int) -> (scalar: Unicode.Scalar, width: Int)? {
        let first = UInt32(bytes[index])
        let width = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard index + width <= count else { return nil }
        var value = width == 1 ? first : first & (0xFF >> UInt32(width + 1))
        for offset in 1..<max(1, width) { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
        return Unicode.Scalar(value).map { ($0, width) }
    }
}
