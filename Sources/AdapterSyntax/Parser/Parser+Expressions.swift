extension Parser {
    /// Parses an expression with commas.
    mutating func expression() throws(ParserError) -> NodeID {
        let outer = patternOnly
        patternOnly = nil
        let result = try coverExpression()
        try checkPatternOnly()
        patternOnly = outer
        return result
    }

    /// Parses an expression without commas.
    mutating func assignment() throws(ParserError) -> NodeID {
        let outer = patternOnly
        patternOnly = nil
        let result = try coverAssignment()
        try checkPatternOnly()
        patternOnly = outer
        return result
    }

    /// Parses ``assignment()`` inside brackets, where `in` is always an operator.
    mutating func assignmentWithIn() throws(ParserError) -> NodeID {
        let outer = allowsIn
        allowsIn = true
        defer { allowsIn = outer }
        return try assignment()
    }

    func checkPatternOnly() throws(ParserError) {
        guard let patternOnly else { return }
        throw ParserError(
            "\"=\" is not expected in an object: expected : between the property and its value", at: patternOnly)
    }

    /// Parses an expression that may turn out to be a pattern.
    mutating func coverExpression() throws(ParserError) -> NodeID {
        let start = token.start
        let first = try coverAssignment()
        guard at(.comma) else { return first }
        var parts = [first]
        while try take(.comma) { parts.append(try coverAssignment()) }
        return finish(.sequence, from: start, parts)
    }

    /// Parses an expression without commas that may turn out to be a pattern.
    mutating func coverAssignment() throws(ParserError) -> NodeID {
        try descend()
        defer { ascend() }
        // "a ? b : c ? d : e" is read in a loop: generated ones are longer than nesting may be deep.
        var chain: [(start: Int, test: NodeID, then: NodeID)] = []
        var last: NodeID
        while true {
            let start = token.start
            if let special = try yieldOrAsyncArrow() {
                last = special
                break
            }
            let outer = patternOnly
            patternOnly = nil
            let operand = try binary(above: 0)
            if at(.question) {
                try checkPatternOnly()
                patternOnly = outer
                try advance()
                let then = try assignmentWithIn()
                try expect(.colon, ":", "and what holds otherwise, after ?")
                chain.append((start, operand, then))
            } else {
                last = try assignmentTail(operand, from: start)
                patternOnly = patternOnly ?? outer
                break
            }
        }
        for part in chain.reversed() { last = finish(.conditional, from: part.start, [part.test, part.then, last]) }
        return last
    }

    /// Parses the part after the left side: an arrow or an assignment.
    private mutating func assignmentTail(_ left: NodeID, from start: Int) throws(ParserError) -> NodeID {
        if at(.arrow), !token.followsLineBreak {
            switch kind(left) {
            case .parameters:
                patternOnly = nil
                return try arrowFunction(left, from: start)
            case .identifier:
                let parameters = add(.parameters, start, previousEnd, [left])
                return try arrowFunction(parameters, from: start)
            case .call where isAsyncHead(left):
                let arguments = Array(children(left).dropFirst())
                for argument in arguments { try makePattern(argument, binding: true) }
                patternOnly = nil
                let parameters = add(.parameters, start + 5, previousEnd, arguments)
                return try arrowFunction(parameters, from: start, traits: .async)
            default: break
            }
        }
        guard token.kind.isAssignment else { return left }
        let operation = token.kind
        if operation == .assign {
            let isPattern = kind(left) == .arrayLiteral || kind(left) == .objectLiteral
            try makePattern(left, binding: false)
            if isPattern { patternOnly = nil }
        } else {
            try checkSimpleTarget(left)
        }
        try advance()
        let value = try assignment()
        return finish(.assignment, from: start, [left, value], detail: operation.rawValue)
    }

    private func isAsyncHead(_ call: NodeID) -> Bool {
        guard let function = children(call).first, kind(function) == .identifier else { return false }
        return source.text(in: range(function)) == "async"
    }

    private mutating func yieldOrAsyncArrow() throws(ParserError) -> NodeID? {
        guard at(.identifier), !token.isEscaped else { return nil }
        let start = token.start
        if at(word: "yield") { return isYield() ? try yieldExpression() : nil }
        guard at(word: "async"), let next = next(), next.kind == .identifier, !next.followsLineBreak else { return nil }
        try advance()
        let parameter = try bindingIdentifier()
        guard at(.arrow) else { throw unexpected("expected => after the parameter of an async function") }
        let parameters = add(.parameters, self.start(parameter), previousEnd, [parameter])
        return try arrowFunction(parameters, from: start, traits: .async)
    }

    /// Returns whether the current `yield` is a keyword.
    private mutating func isYield() -> Bool {
        if function.traits.contains(.generator) { return true }
        guard function.isInFunction else { return false }
        if yieldsInPlainFunctions { return true }
        guard let next = next(), !next.followsLineBreak else { return false }
        switch next.kind {
        case .identifier, .number, .string, .this, .function, .new, .null, .true, .false, .typeof, .void, .leftBrace,
            .not, .bitNot:
            sawPlainYield = true
            return true
        default:
            return false
        }
    }

    private mutating func yieldExpression() throws(ParserError) -> NodeID {
        let start = token.start
        let isPlain = !function.traits.contains(.generator)
        if isPlain { function.traits.insert(.plainGenerator) }
        try advance()
        var value = NodeID.absent
        var detail: UInt8 = isPlain ? 2 : 0
        if !token.followsLineBreak {
            if !isPlain, try take(.times) {
                detail = 1
                value = try assignment()
            } else {
                switch token.kind {
                case .rightParenthesis, .rightBracket, .rightBrace, .comma, .semicolon, .colon, .in, .end: break
                default: value = try assignment()
                }
            }
        }
        return finish(.yield, from: start, [value], detail: detail)
    }

    // MARK: Operators

    /// Returns the precedence of a binary operator; 0 for everything else.
    private func precedence(_ kind: TokenKind) -> Int {
        switch kind {
        case .coalesce: 1
        case .or: 2
        case .and: 3
        case .bitOr: 4
        case .bitXor: 5
        case .bitAnd: 6
        case .equal, .notEqual, .strictEqual, .strictNotEqual: 7
        case .less, .greater, .lessEqual, .greaterEqual, .instanceof: 8
        case .in: allowsIn ? 8 : 0
        case .shiftLeft, .shiftRight, .shiftRightUnsigned: 9
        case .plus, .minus: 10
        case .times, .divide, .remainder: 11
        case .power: 12
        default: 0
        }
    }

    private mutating func binary(above limit: Int) throws(ParserError) -> NodeID {
        let start = token.start
        var left = try unary()
        while true {
            let operation = token.kind
            let precedence = precedence(operation)
            guard precedence > limit else { return left }
            try advance()
            // Only ** nests to the right; the others climb at most once through the precedences.
            if operation == .power { try descend() }
            defer { if operation == .power { ascend() } }
            let right = try binary(above: operation == .power ? precedence - 1 : precedence)
            left = finish(.binary, from: start, [left, right], detail: operation.rawValue)
        }
    }

    private mutating func unary() throws(ParserError) -> NodeID {
        let start = token.start
        let operation = token.kind
        switch operation {
        case .delete, .void, .typeof, .plus, .minus, .bitNot, .not:
            try descend()
            defer { ascend() }
            try advance()
            let operand = try unary()
            return finish(.unary, from: start, [operand], detail: operation.rawValue)
        case .increment, .decrement:
            try descend()
            defer { ascend() }
            try advance()
            let operand = try unary()
            try checkSimpleTarget(operand)
            return finish(.prefixUpdate, from: start, [operand], detail: operation.rawValue)
        case .identifier where function.traits.contains(.async) && at(word: "await"):
            try descend()
            defer { ascend() }
            try advance()
            let operand = try unary()
            return finish(.await, from: start, [operand])
        default:
            let operand = try leftHandSide()
            guard at(.increment) || at(.decrement), !token.followsLineBreak else { return operand }
            try checkSimpleTarget(operand)
            let operation = token.kind
            try advance()
            return finish(.postfixUpdate, from: start, [operand], detail: operation.rawValue)
        }
    }
}
