/// The state of a statement that is read line by line. It decides, by reading each line once, which lines cannot be the last, so that
/// the parser need not parse the whole statement after each line.
///
/// It knows brackets, strings and operators, not the grammar. It reports "continues" only where the parser would find the end missing.
/// If it cannot decide, as inside XML literals, it reports ``End/unknown`` for the rest of the statement.
public struct IncompleteStatement: Sendable {
    public enum End: Sendable, Hashable {
        /// The next line belongs to it, too, unless something is wrong with it.
        case missing
        /// It may end here.
        case possible
        /// The tokens no longer show it.
        case unknown
    }

    private enum Place {
        case code, comment, template
    }

    private enum Bracket {
        /// - isCondition: whether a statement follows the parenthesis, as in `if (…)`.
        case parenthesis(isCondition: Bool)
        case bracket, brace
        /// `${`.
        case substitution
    }

    private var place = Place.code
    private var open: [Bracket] = []
    /// The last token that is not a comment; a word after a dot counts as a name.
    private var last: TokenKind?
    private var isUnknown = false

    public init() {}

    public var end: End {
        if isUnknown { return .unknown }
        guard place == .code, open.isEmpty else { return .missing }
        return last?.wantsOperand == true ? .missing : .possible
    }

    /// Reads one more line.
    public mutating func append(_ line: String) {
        guard !isUnknown else { return }
        var lexer = Lexer(Array(line.utf8))
        do throws(ParserError) {
            try read(&lexer)
        } catch {
            isUnknown = true
        }
    }

    private mutating func read(_ lexer: inout Lexer) throws(ParserError) {
        switch place {
        case .comment:
            guard lexer.skipToEndOfComment() else { return }
            place = .code
        case .template:
            place = .code
            guard readTemplate(&lexer, from: 0) else { return }
        case .code: break
        }
        while true {
            let token: Token
            do throws(ParserError) {
                token = try lexer.next()
            } catch {
                if lexer.bytes[error.range.start] == UInt8(ascii: "`") {
                    place = .template
                } else if lexer.bytes[error.range.start...].starts(with: [UInt8(ascii: "/"), UInt8(ascii: "*")]) {
                    place = .comment
                } else {
                    throw error
                }
                return
            }
            if token.kind == .end { return }
            guard try take(token, &lexer) else { return }
        }
    }

    /// - Returns: whether the line continues after the token.
    private mutating func take(_ token: Token, _ lexer: inout Lexer) throws(ParserError) -> Bool {
        if last?.precedesName == true, token.kind.isKeyword || token.kind == .times {
            last = .identifier
            return true
        }
        switch token.kind {
        case .divide, .divideAssign, .less:
            // A block may have ended before it, or an object.
            guard last != .rightBrace else { throw ParserError("a sign of two meanings", at: token.range) }
            guard last?.endsOperand != true else { break }
            guard token.kind != .less else { throw ParserError("an XML literal", at: token.range) }
            _ = try lexer.regularExpression(at: token.start)
            last = .regularExpression
            return true
        case .leftParenthesis:
            let isCondition = last == .if || last == .while || last == .for || last == .with
            open.append(.parenthesis(isCondition: isCondition))
        case .leftBracket: open.append(.bracket)
        case .leftBrace: open.append(.brace)
        case .templateHead: open.append(.substitution)
        case .rightParenthesis, .rightBracket, .rightBrace:
            switch (open.popLast(), token.kind) {
            case (.parenthesis(let isCondition), .rightParenthesis):
                // Behind a condition begins an operand, as behind a semicolon; it does not end the statement.
                last = isCondition ? .do : token.kind
                return true
            case (.bracket, .rightBracket), (.brace, .rightBrace): break
            case (.substitution, .rightBrace): return readTemplate(&lexer, from: token.start)
            default: throw ParserError("a bracket that nobody opened", at: token.range)
            }
        default: break
        }
        last = token.kind
        return true
    }

    /// Reads the characters of a template.
    ///
    /// - Returns: whether it ended on the line, or a substitution began.
    private mutating func readTemplate(_ lexer: inout Lexer, from start: Int) -> Bool {
        guard let kind = try? lexer.templatePart(openedAt: start) else {
            place = .template
            return false
        }
        if kind == .templateHead { open.append(.substitution) }
        last = kind
        return true
    }
}

extension TokenKind {
    /// True if an operator follows it, not an operand.
    fileprivate var endsOperand: Bool {
        switch self {
        case .identifier, .privateName, .number, .bigInt, .string, .regularExpression, .template, .rightParenthesis,
            .rightBracket, .increment, .decrement, .this, .super, .null, .true, .false:
            true
        default: false
        }
    }

    /// True if it is an operator that an operand has to follow.
    fileprivate var wantsOperand: Bool {
        switch self {
        case .dot, .optionalChain, .comma, .question, .arrow, .less, .greater, .lessEqual, .greaterEqual, .equal,
            .notEqual, .strictEqual, .strictNotEqual, .plus, .minus, .times, .divide, .remainder, .power, .shiftLeft,
            .shiftRight, .shiftRightUnsigned, .bitAnd, .bitOr, .bitXor, .and, .or, .coalesce:
            true
        default: isAssignment
        }
    }

    /// True if a word behind it is a name, and an asterisk as well.
    fileprivate var precedesName: Bool {
        switch self {
        case .dot, .dotDot, .optionalChain, .at, .doubleColon: true
        default: false
        }
    }
}

extension Lexer {
    /// - Returns: whether the comment that it is in ends on the line.
    fileprivate mutating func skipToEndOfComment() -> Bool {
        while position < count {
            if starts(with: "*/") {
                position += 2
                return true
            }
            position += 1
        }
        return false
    }
}
