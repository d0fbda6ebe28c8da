extension Parser {
    /// The constructs that `let (` can begin.
    enum LetHead {
        case block, expression
        /// The call of a function with the name `let`.
        case call
    }

    /// Rhino's `let (a = 1) { ... }`, when that is what is here.
    mutating func letBlock() throws(ParserError) -> NodeID? {
        guard whatLetBegins() == .block else { return nil }
        let start = token.start
        let declarators = try letHead()
        let body = try block()
        return finish(.letBlock, from: start, declarators + [body])
    }

    /// Rhino's `let (a = 1) a + 1`, when that is what is here.
    mutating func letExpression() throws(ParserError) -> NodeID? {
        guard whatLetBegins() == .expression else { return nil }
        let start = token.start
        let declarators = try letHead()
        let body = try assignment()
        return finish(.letExpression, from: start, declarators + [body])
    }

    private mutating func letHead() throws(ParserError) -> [NodeID] {
        try advance()
        try expect(.leftParenthesis, "(", "after let")
        let outer = (allowsIn, patternOnly)
        allowsIn = true
        patternOnly = nil
        defer { (allowsIn, patternOnly) = outer }
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

    private mutating func whatLetBegins() -> LetHead {
        let start = token.start
        guard next()?.kind == .leftParenthesis else { return .call }
        if let known = memory.letHeads[start] { return known }
        let head = looking { (parser) throws(ParserError) -> LetHead in
            try parser.descend()
            let declarators = try parser.letHead()
            let hasValue = declarators.contains { parser.children($0).last?.isAbsent == false }
            return parser.token.letHead(isSurelyLet: hasValue)
        }
        memory.letHeads[start] = head ?? .call
        return head ?? .call
    }
}

extension Token {
    /// Returns the construct of a `let ( ... )` that ends before this token.
    ///
    /// - Parameter isSurelyLet: whether a variable has a value there; else it may be a call on a separate line.
    fileprivate func letHead(isSurelyLet: Bool) -> Parser.LetHead {
        if kind == .leftBrace { return followsLineBreak && !isSurelyLet ? .call : .block }
        guard !followsLineBreak else { return .call }
        switch kind {
        case .identifier, .number, .string, .this, .function, .new, .null, .true, .false, .typeof, .void, .not, .bitNot:
            return .expression
        default: return .call
        }
    }
}
