extension Parser {
    /// Rhino's `let (a = 1) { ... }`, when that is what is here.
    mutating func letBlock() throws(Failure) -> NodeID? {
        guard let after = tokenAfterLetHead(), after.kind == .leftBrace, !after.followsLineBreak else { return nil }
        let start = token.start
        let declarators = try letHead()
        let body = try block()
        return finish(.letBlock, from: start, declarators + [body])
    }

    /// Rhino's `let (a = 1) a + 1`, when that is what is here.
    mutating func letExpression() throws(Failure) -> NodeID? {
        guard let after = tokenAfterLetHead(), !after.followsLineBreak else { return nil }
        switch after.kind {
        case .identifier, .number, .string, .this, .function, .new, .null, .true, .false, .typeof, .void, .not, .bitNot:
            break
        default: return nil
        }
        let start = token.start
        let declarators = try letHead()
        let body = try assignment()
        return finish(.letExpression, from: start, declarators + [body])
    }

    private mutating func letHead() throws(Failure) -> [NodeID] {
        try advance()
        try advance()
        var declarators: [NodeID] = []
        while !at(.rightParenthesis) {
            let start = token.start
            let target = try bindingTarget()
            let initial = try take(.assign) ? try assignment() : NodeID.absent
            declarators.append(finish(.declarator, from: start, [target, initial]))
            guard try take(.comma) else { break }
        }
        try expect(.rightParenthesis, ")", "to end the variables of let")
        return declarators
    }

    /// The token behind `let ( ... )`; `nil` when no parenthesis follows.
    private func tokenAfterLetHead() -> Token? {
        var ahead = lexer
        guard var token = try? ahead.next(), token.kind == .leftParenthesis else { return nil }
        var depth = 0
        repeat {
            switch token.kind {
            case .leftParenthesis, .leftBracket, .leftBrace: depth += 1
            case .rightParenthesis, .rightBracket, .rightBrace: depth -= 1
            case .end: return nil
            default: break
            }
            guard let next = try? ahead.next() else { return nil }
            token = next
        } while depth > 0
        return token
    }
}
