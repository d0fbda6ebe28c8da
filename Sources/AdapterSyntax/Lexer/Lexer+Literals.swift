extension Lexer {
    /// Reads a name.
    ///
    /// - Returns: whether there are escapes in it.
    mutating func name() throws(ParserError) -> Bool {
        var isEscaped = false
        let start = position
        while position < count {
            let byte = bytes[position]
            if Self.isNamePart(byte) {
                position += 1
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                let value = try unicodeEscapeInName()
                guard Self.isNameScalar(value, first: false) else {
                    throw ParserError("the escaped character cannot be in a name", at: position)
                }
            } else if byte >= 0x80, let (scalar, width) = scalar(at: position),
                Self.isNameScalar(scalar, first: position == start)
            {
                position += width
            } else {
                break
            }
        }
        guard position > start else { throw strangeCharacter() }
        return isEscaped
    }

    private static func isNameScalar(_ scalar: Unicode.Scalar, first: Bool) -> Bool {
        if scalar.value < 0x80 { return isNamePart(UInt8(scalar.value)) }
        return first
            ? scalar.properties.isIDStart
            : scalar.properties.isIDContinue || scalar.value == 0x200C || scalar.value == 0x200D
    }

    private mutating func unicodeEscapeInName() throws(ParserError) -> Unicode.Scalar {
        let start = position
        guard starts(with: "\\u") else { throw strangeCharacter() }
        position += 2
        var value: UInt32 = 0
        if take("{") {
            while let digit = Self.hexValue(bytes[position]), value <= 0x10FFFF {
                value = value << 4 | digit
                position += 1
            }
            guard take("}") else { throw ParserError("the escape has no end: expected }", at: start) }
        } else {
            for _ in 0..<4 {
                guard let digit = Self.hexValue(bytes[position]) else {
                    throw ParserError("\\u must be followed by four hexadecimal digits", at: start)
                }
                value = value << 4 | digit
                position += 1
            }
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw ParserError("the escape is not a character", at: start)
        }
        return scalar
    }

    static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    mutating func number() throws(ParserError) -> TokenKind {
        let start = position
        var kind = TokenKind.number
        let second = bytes[position + 1] | 0x20
        if bytes[position] == UInt8(ascii: "0"),
            second == UInt8(ascii: "x") || second == UInt8(ascii: "o") || second == UInt8(ascii: "b")
        {
            position += 2
            let base: UInt32 = second == UInt8(ascii: "x") ? 16 : second == UInt8(ascii: "o") ? 8 : 2
            let digits = position
            while let digit = Self.hexValue(bytes[position]), digit < base { advanceOverDigit() }
            guard position > digits else {
                throw ParserError(
                    "a digit of base \(base) is expected after \"0\(Character(Unicode.Scalar(second)))\"", at: start)
            }
            if take("n") { kind = .bigInt }
        } else {
            // 017 is fifteen: without a fraction, as in every engine of the time.
            let isOctal = bytes[position] == UInt8(ascii: "0") && Self.isDigit(bytes[position + 1])
            skipDigits()
            if !isOctal, take("n") {
                kind = .bigInt
            } else {
                let is09 = isOctal && bytes[start..<position].contains { $0 > UInt8(ascii: "7") }
                if !isOctal || is09, take(".") { skipDigits() }
                if !isOctal || is09 { try exponent() }
            }
        }
        if Self.isNamePart(bytes[position]) || bytes[position] == UInt8(ascii: "\\") {
            throw ParserError(
                "a number must not be followed by a letter or digit: expected an operator or a blank", at: start)
        }
        return kind
    }

    private mutating func skipDigits() {
        while Self.isDigit(bytes[position]) { advanceOverDigit() }
    }

    /// Moves past a digit and a separator between it and the next.
    private mutating func advanceOverDigit() {
        position += 1
        if bytes[position] == UInt8(ascii: "_"), Self.hexValue(bytes[position + 1]) != nil { position += 1 }
    }

    private mutating func exponent() throws(ParserError) {
        guard bytes[position] | 0x20 == UInt8(ascii: "e") else { return }
        let start = position
        position += 1
        if bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") { position += 1 }
        guard Self.isDigit(bytes[position]) else { throw ParserError("the exponent has no digits", at: start) }
        skipDigits()
    }

    mutating func string(quote: UInt8) throws(ParserError) {
        let start = position
        position += 1
        while position < count {
            let byte = bytes[position]
            if byte == quote {
                position += 1
                return
            }
            if byte == UInt8(ascii: "\\") {
                position += 1
                guard position < count else { break }
                position += SourceText.lineTerminatorWidth(in: bytes, at: position) ?? 1
            } else if byte == 0x0A || byte == 0x0D {
                break
            } else {
                position += 1
            }
        }
        throw ParserError(
            "the string that begins here has no end on its line: expected \(Character(Unicode.Scalar(quote)))",
            at: SourceRange(start, start + 1))
    }

    /// Reads on after "`" or the "}" of a substitution, up to and including "`" or "${".
    mutating func templatePart(openedAt start: Int) throws(ParserError) -> TokenKind {
        while position < count {
            switch bytes[position] {
            case UInt8(ascii: "`"):
                position += 1
                return .template
            case UInt8(ascii: "$") where bytes[position + 1] == UInt8(ascii: "{"):
                position += 2
                return .templateHead
            case UInt8(ascii: "\\"):
                position += min(2, count - position)
            default:
                position += 1
            }
        }
        throw ParserError("the template that begins here has no end: expected `", at: SourceRange(start, start + 1))
    }

    /// Reads a regular expression at the position of a `/` or `/=` token.
    mutating func regularExpression(at start: Int) throws(ParserError) -> Token {
        position = start + 1
        var isInClass = false
        while position < count, SourceText.lineTerminatorWidth(in: bytes, at: position) == nil {
            switch bytes[position] {
            case UInt8(ascii: "\\")
            where position + 1 < count
                && SourceText.lineTerminatorWidth(in: bytes, at: position + 1) == nil:
                position += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "/") where !isInClass:
                position += 1
                while Self.isNamePart(bytes[position]) { position += 1 }
                return Token(kind: .regularExpression, start: start, end: position, followsLineBreak: false)
            default: break
            }
            position += 1
        }
        throw ParserError(
            "the regular expression that begins here has no end on its line: expected /",
            at: SourceRange(start, start + 1))
    }
}
