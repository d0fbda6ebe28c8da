/// The words and signs of the language. Operators in a tree are named by theirs.
public enum TokenKind: UInt8, Sendable, Hashable {
    case end
    // Tokens with a value.
    case identifier, privateName, number, bigInt, string, regularExpression
    /// A template, or its part, and whether a substitution follows.
    case template, templateHead

    // Signs.
    case leftBrace, rightBrace, leftParenthesis, rightParenthesis, leftBracket, rightBracket
    case dot, dotDot, ellipsis, optionalChain, semicolon, comma, colon, doubleColon, question, arrow, at, hash
    case less, greater, lessEqual, greaterEqual
    case equal, notEqual, strictEqual, strictNotEqual
    case plus, minus, times, divide, remainder, power
    case increment, decrement
    case shiftLeft, shiftRight, shiftRightUnsigned
    case bitAnd, bitOr, bitXor, bitNot, not, and, or, coalesce
    case assign, plusAssign, minusAssign, timesAssign, divideAssign, remainderAssign, powerAssign
    case shiftLeftAssign, shiftRightAssign, shiftRightUnsignedAssign
    case bitAndAssign, bitOrAssign, bitXorAssign, andAssign, orAssign, coalesceAssign

    // Words that cannot be names.
    case `break`, `case`, `catch`, `class`, const, `continue`, debugger, `default`, delete, `do`, `else`, `enum`
    case export, extends, `false`, finally, `for`, function, `if`, `import`, `in`, instanceof, new, null, `return`
    case `super`, `switch`, this, `throw`, `true`, `try`, typeof, `var`, void, `while`, with

    var isKeyword: Bool { rawValue >= TokenKind.break.rawValue }

    /// `=`, `+=` and so on.
    var isAssignment: Bool {
        rawValue >= TokenKind.assign.rawValue && rawValue <= TokenKind.coalesceAssign.rawValue
    }
}

struct Token {
    var kind: TokenKind
    var start: Int
    var end: Int
    /// True if a line ends between it and the token before.
    var followsLineBreak: Bool
    /// True if a name has `\u` escapes in it.
    var isEscaped = false

    var range: SourceRange { SourceRange(start, end) }
}

/// Finds keywords by their bytes.
enum Keywords {
    /// The keywords by the first letter, from "b" to "w".
    private static let table: [[(bytes: [UInt8], kind: TokenKind)]] = {
        let words: [(String, TokenKind)] = [
            ("break", .break), ("case", .case), ("catch", .catch), ("class", .class), ("const", .const),
            ("continue", .continue), ("debugger", .debugger), ("default", .default), ("delete", .delete), ("do", .do),
            ("else", .else), ("enum", .enum), ("export", .export), ("extends", .extends), ("false", .false),
            ("finally", .finally), ("for", .for), ("function", .function), ("if", .if), ("import", .import),
            ("in", .in), ("instanceof", .instanceof), ("new", .new), ("null", .null), ("return", .return),
            ("super", .super), ("switch", .switch), ("this", .this), ("throw", .throw), ("true", .true),
            ("try", .try), ("typeof", .typeof), ("var", .var), ("void", .void), ("while", .while), ("with", .with),
        ]
        var table = [[(bytes: [UInt8], kind: TokenKind)]](repeating: [], count: 26)
        for (word, kind) in words {
            let bytes = Array(word.utf8)
            table[Int(bytes[0] - UInt8(ascii: "a"))].append((bytes, kind))
        }
        return table
    }()

    static func kind(of bytes: [UInt8], _ start: Int, _ end: Int) -> TokenKind {
        let first = bytes[start]
        guard first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z"), end - start >= 2, end - start <= 10 else {
            return .identifier
        }
        candidates: for candidate in table[Int(first - UInt8(ascii: "a"))] where candidate.bytes.count == end - start {
            for index in 1..<candidate.bytes.count where candidate.bytes[index] != bytes[start + index] {
                continue candidates
            }
            return candidate.kind
        }
        return .identifier
    }
}
