extension Lexer {
    /// Reads an operator or a bracket: the longest there is.
    mutating func sign(_ byte: UInt8) throws(ParserError) -> TokenKind {
        position += 1
        switch byte {
        case UInt8(ascii: "{"): return .leftBrace
        case UInt8(ascii: "}"): return .rightBrace
        case UInt8(ascii: "("): return .leftParenthesis
        case UInt8(ascii: ")"): return .rightParenthesis
        case UInt8(ascii: "["): return .leftBracket
        case UInt8(ascii: "]"): return .rightBracket
        case UInt8(ascii: ";"): return .semicolon
        case UInt8(ascii: ","): return .comma
        case UInt8(ascii: "~"): return .bitNot
        case UInt8(ascii: "@"): return .at
        case UInt8(ascii: "#"): return .hash
        case UInt8(ascii: ":"): return take(":") ? .doubleColon : .colon
        case UInt8(ascii: "."): return take("..") ? .ellipsis : take(".") ? .dotDot : .dot
        case UInt8(ascii: "?"): return questionSign()
        case UInt8(ascii: "<"):
            if take("<") { return take("=") ? .shiftLeftAssign : .shiftLeft }
            return take("=") ? .lessEqual : .less
        case UInt8(ascii: ">"): return greaterSign()
        case UInt8(ascii: "="):
            if take("=") { return take("=") ? .strictEqual : .equal }
            return take(">") ? .arrow : .assign
        case UInt8(ascii: "!"):
            if take("=") { return take("=") ? .strictNotEqual : .notEqual }
            return .not
        case UInt8(ascii: "+"): return take("+") ? .increment : take("=") ? .plusAssign : .plus
        case UInt8(ascii: "-"): return take("-") ? .decrement : take("=") ? .minusAssign : .minus
        case UInt8(ascii: "*"):
            if take("*") { return take("=") ? .powerAssign : .power }
            return take("=") ? .timesAssign : .times
        case UInt8(ascii: "/"): return take("=") ? .divideAssign : .divide
        case UInt8(ascii: "%"): return take("=") ? .remainderAssign : .remainder
        case UInt8(ascii: "&"):
            if take("&") { return take("=") ? .andAssign : .and }
            return take("=") ? .bitAndAssign : .bitAnd
        case UInt8(ascii: "|"):
            if take("|") { return take("=") ? .orAssign : .or }
            return take("=") ? .bitOrAssign : .bitOr
        case UInt8(ascii: "^"): return take("=") ? .bitXorAssign : .bitXor
        default:
            position -= 1
            throw strangeCharacter()
        }
    }

    private mutating func questionSign() -> TokenKind {
        if take("?") { return take("=") ? .coalesceAssign : .coalesce }
        if bytes[position] == UInt8(ascii: "."), !Self.isDigit(bytes[position + 1]) {
            position += 1
            return .optionalChain
        }
        return .question
    }

    private mutating func greaterSign() -> TokenKind {
        if take(">>") { return take("=") ? .shiftRightUnsignedAssign : .shiftRightUnsigned }
        if take(">") { return take("=") ? .shiftRightAssign : .shiftRight }
        return take("=") ? .greaterEqual : .greater
    }

    /// Moves past `text` when it is next.
    mutating func take(_ text: StaticString) -> Bool {
        guard starts(with: text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    func strangeCharacter() -> ParserError {
        guard let (scalar, width) = scalar(at: position) else {
            return ParserError("the script is not UTF-8 here", at: position)
        }
        let code = String(scalar.value, radix: 16, uppercase: true)
        let name = "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
        let isVisible = scalar.value > 0x20 && scalar.value != 0x7F
        return ParserError(
            "the character \(isVisible ? "\"\(scalar)\" (\(name))" : name) is not expected here",
            at: SourceRange(position, position + width))
    }
}
