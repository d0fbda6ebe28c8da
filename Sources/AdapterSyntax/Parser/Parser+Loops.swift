extension Parser {
    /// `for (;;)`, `for (in)`, `for (of)` and Rhino's `for each (in)`.
    mutating func forStatement() throws(ParserError) -> NodeID {
        let start = token.start
        try advance()
        var isEach = false
        if at(word: "each") {
            isEach = true
            try advance()
        } else if at(word: "await") {
            throw ParserError("for await needs async functions, which adapters do not have", at: token.range)
        }
        try expect(.leftParenthesis, "(", isEach ? "after for each" : "after for")
        let first = try loopHead()
        if !first.isAbsent, at(.in) || at(word: "of") {
            var kind = at(.in) ? LoopKind.keys : .values
            if isEach {
                guard at(.in) else { throw unexpected("expected in after the variable of for each") }
                kind = .each
            }
            let target = try loopTarget(first)
            try advance()
            let object = kind == .values ? try assignment() : try expression()
            try expect(.rightParenthesis, ")", "to end the head of for")
            let body = try loopBody()
            return finish(.forInStatement, from: start, [target, object, body], detail: kind.rawValue)
        }
        if isEach { throw unexpected("expected in after the variable of for each") }
        try checkPatternOnly()
        try checkInitializers(first)
        try expect(.semicolon, ";", "after the first part of for")
        let test = at(.semicolon) ? .absent : try expression()
        try expect(.semicolon, ";", "after the condition of for")
        let update = at(.rightParenthesis) ? .absent : try expression()
        try expect(.rightParenthesis, ")", "to end the head of for")
        let body = try loopBody()
        return finish(.forStatement, from: start, [first, test, update, body])
    }

    /// The part before `in`, `of` or the first semicolon.
    private mutating func loopHead() throws(ParserError) -> NodeID {
        if at(.semicolon) { return .absent }
        let outer = allowsIn
        allowsIn = false
        defer { allowsIn = outer }
        switch token.kind {
        case .var: return try variableDeclaration(.var, inFor: true)
        case .const: return try variableDeclaration(.const, inFor: true)
        case .identifier where at(word: "let"):
            if let next = next(),
                next.kind == .leftBracket || next.kind == .leftBrace
                    || next.kind == .identifier && !isWord(next, "of") && !isWord(next, "in")
            {
                return try variableDeclaration(.let, inFor: true)
            }
        default: break
        }
        return try coverExpression()
    }

    /// Turns what was read before `in` or `of` into what is assigned.
    private mutating func loopTarget(_ head: NodeID) throws(ParserError) -> NodeID {
        if kind(head) == .variableDeclaration {
            let declarators = children(head)
            guard declarators.count == 1, let declarator = declarators.first else {
                throw ParserError("a loop over an object has one variable", at: range(head))
            }
            let parts = children(declarator)
            if let initial = parts.last, !initial.isAbsent,
                nodes[Int(head.index)].detail != DeclarationKind.var.rawValue || at(word: "of")
            {
                throw ParserError("the variable of a loop over an object has no first value", at: range(initial))
            }
            return head
        }
        patternOnly = nil
        try makePattern(head, binding: false)
        return head
    }

    /// Outside of loops over objects, patterns need a value.
    private func checkInitializers(_ head: NodeID) throws(ParserError) {
        guard !head.isAbsent, kind(head) == .variableDeclaration else { return }
        for declarator in children(head) {
            let parts = Array(children(declarator))
            if kind(parts[0]) != .identifier, parts[1].isAbsent {
                throw unexpected("expected = and a value to take apart")
            }
        }
    }

    /// The loops and the condition of an array comprehension or a generator expression.
    mutating func comprehensionTail() throws(ParserError) -> [NodeID] {
        var parts: [NodeID] = []
        while at(.for) {
            let start = token.start
            try advance()
            var kind = LoopKind.keys
            if at(word: "each") {
                kind = .each
                try advance()
            }
            try expect(.leftParenthesis, "(", "after for")
            if at(.var) || at(.const) || at(word: "let") { try advance() }
            let target = try bindingTarget()
            if at(word: "of") {
                kind = .values
            } else if !at(.in) {
                throw unexpected("expected in after the variable")
            }
            try advance()
            let object = try expression()
            try expect(.rightParenthesis, ")", "to end the head of for")
            parts.append(finish(.comprehensionLoop, from: start, [target, object], detail: kind.rawValue))
        }
        if try take(.if) {
            parts.append(try condition("if"))
        } else {
            parts.append(.absent)
        }
        return parts
    }
}
