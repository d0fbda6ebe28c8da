extension Parser {
    mutating func primary() throws(ParserError) -> NodeID {
        let start = token.start
        switch token.kind {
        case .identifier:
            if at(word: "let"), let expression = try letExpression() { return expression }
            if at(word: "async"), let next = next(), next.kind == .function, !next.followsLineBreak {
                return try functionExpression()
            }
            let name = try bindingIdentifier()
            return at(.doubleColon) ? try xmlQualified(name) : name
        case .number: return try literal(.numberLiteral)
        case .bigInt: return try literal(.bigIntLiteral)
        case .string: return try literal(.stringLiteral)
        case .this: return try literal(.thisExpression)
        case .null: return try literal(.nullLiteral)
        case .true: return try literal(.trueLiteral)
        case .false: return try literal(.falseLiteral)
        case .super: return try literal(.superExpression)
        case .privateName: return try literal(.privateName)
        case .template, .templateHead: return try templateLiteral()
        case .divide, .divideAssign:
            let followsLineBreak = token.followsLineBreak
            token = try lexer.regularExpression(at: start)
            token.followsLineBreak = followsLineBreak
            return try literal(.regularExpression)
        case .leftParenthesis: return try parenthesized()
        case .leftBracket: return try arrayLiteral()
        case .leftBrace: return try objectLiteral()
        case .function: return try functionExpression()
        case .class: return try classDefinition(.classExpression)
        case .less: return try xmlLiteral()
        case .at, .times: return try xmlSelector()
        default: throw unexpected("expected a value")
        }
    }

    private mutating func literal(_ kind: NodeKind) throws(ParserError) -> NodeID {
        let start = token.start
        try advance()
        return finish(kind, from: start)
    }

    mutating func bindingIdentifier() throws(ParserError) -> NodeID {
        guard at(.identifier) else { throw unexpected("expected a name") }
        return try literal(.identifier)
    }

    mutating func templateLiteral() throws(ParserError) -> NodeID {
        let start = token.start
        var parts: [NodeID] = []
        let outer = allowsIn
        allowsIn = true
        defer { allowsIn = outer }
        while at(.templateHead) {
            try advance()
            parts.append(try expression())
            guard at(.rightBrace) else { throw unexpected("expected } to end what is substituted") }
            token.kind = try lexer.templatePart(openedAt: start)
            token.end = lexer.position
        }
        try advance()
        return finish(.templateLiteral, from: start, parts)
    }

    /// `(a)`, or the parameters of an arrow function.
    private mutating func parenthesized() throws(ParserError) -> NodeID {
        let start = token.start
        try advance()
        let outer = (allowsIn, patternOnly)
        allowsIn = true
        patternOnly = nil
        defer { allowsIn = outer.0 }
        var parts: [NodeID] = []
        var mustBeParameters = false
        var commas = 0
        while !at(.rightParenthesis) {
            let partStart = token.start
            if try take(.ellipsis) {
                let target = try bindingTarget()
                parts.append(finish(.restElement, from: partStart, [target]))
                mustBeParameters = true
                break
            }
            var part = try coverAssignment()
            if at(.for) {
                try checkPatternOnly()
                part = finish(.generatorExpression, from: partStart, [part] + (try comprehensionTail()))
            }
            parts.append(part)
            guard try take(.comma) else { break }
            commas += 1
        }
        let inner = previousEnd
        if commas >= parts.count { mustBeParameters = true }
        try expect(.rightParenthesis, ")", "to end what ( began")
        if at(.arrow), !token.followsLineBreak {
            for part in parts { try makePattern(part, binding: true) }
            patternOnly = outer.1
            return finish(.parameters, from: start, parts)
        }
        if mustBeParameters { throw unexpected("expected => after the parameters of a function") }
        try checkPatternOnly()
        patternOnly = outer.1
        guard let first = parts.first else { throw unexpected("expected a value between ( and ), or => behind them") }
        let content = parts.count == 1 ? first : add(.sequence, self.start(first), inner, parts)
        return finish(.parenthesized, from: start, [content])
    }

    private mutating func arrayLiteral() throws(ParserError) -> NodeID {
        let opening = token.start
        try advance()
        let outer = allowsIn
        allowsIn = true
        defer { allowsIn = outer }
        var elements: [NodeID] = []
        while !at(.rightBracket) {
            let start = token.start
            if at(.comma) {
                elements.append(add(.hole, start, start))
                try advance()
                continue
            }
            if try take(.ellipsis) {
                let value = try coverAssignment()
                elements.append(finish(.spread, from: start, [value]))
            } else {
                elements.append(try coverAssignment())
            }
            if at(.for), elements.count == 1 {
                try checkPatternOnly()
                let tail = try comprehensionTail()
                try expect(.rightBracket, "]", "to end the list")
                return finish(.arrayComprehension, from: opening, elements + tail)
            }
            if !at(.rightBracket) { try expect(.comma, ", or ]", "in the list") }
        }
        try advance()
        return finish(.arrayLiteral, from: opening, elements)
    }
}
