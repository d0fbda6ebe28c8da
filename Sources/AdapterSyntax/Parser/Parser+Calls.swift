extension Parser {
    /// Parses an operand with the calls and member accesses behind it.
    mutating func leftHandSide() throws(ParserError) -> NodeID {
        let start = token.start
        var node: NodeID
        switch token.kind {
        case .new: node = try newExpression()
        case .import: node = try importExpression()
        default: node = try primary()
        }
        if kind(node) == .arrowFunction { return node }
        while true {
            switch token.kind {
            case .leftParenthesis:
                if kind(node) == .parameters { return node }
                node = finish(.call, from: start, [node] + (try arguments()))
            case .optionalChain:
                node = try optionalPart(of: node, from: start)
            default:
                guard let member = try memberPart(of: node, from: start) else { return node }
                node = member
            }
        }
    }

    private mutating func optionalPart(of object: NodeID, from start: Int) throws(ParserError) -> NodeID {
        try advance()
        switch token.kind {
        case .leftParenthesis:
            return finish(.call, from: start, [object] + (try arguments()), detail: 1)
        case .leftBracket:
            try advance()
            let key = try bracketed()
            return finish(.index, from: start, [object, key], detail: 1)
        default:
            let name = try propertyName()
            return finish(.member, from: start, [object, name], detail: 1)
        }
    }

    /// Parses `.name`, `[key]`, a template, or an access of E4X to XML; returns `nil` when there is none of them.
    private mutating func memberPart(of object: NodeID, from start: Int) throws(ParserError) -> NodeID? {
        switch token.kind {
        case .dot:
            try advance()
            if at(.leftParenthesis) {
                try advance()
                let condition = try bracketedExpression()
                try expect(.rightParenthesis, ")", "to end the filter")
                return finish(.xmlFilter, from: start, [object, condition])
            }
            if at(.at) || at(.times) || at(.power) {
                let selector = try xmlSelector()
                return finish(.xmlAccess, from: start, [object, selector])
            }
            let name = try propertyName()
            guard at(.doubleColon), kind(name) == .identifier else {
                return finish(.member, from: start, [object, name])
            }
            let selector = try xmlQualified(name)
            return finish(.xmlAccess, from: start, [object, selector])
        case .dotDot:
            try advance()
            let selector = try xmlSelector()
            return finish(.xmlDescendants, from: start, [object, selector])
        case .leftBracket:
            try advance()
            let key = try bracketed()
            return finish(.index, from: start, [object, key])
        case .template, .templateHead:
            let template = try templateLiteral()
            return finish(.taggedTemplate, from: start, [object, template])
        default: return nil
        }
    }

    /// Parses a name behind a dot, which may be a word of the language.
    private mutating func propertyName() throws(ParserError) -> NodeID {
        let start = token.start
        guard at(.identifier) || at(.privateName) || token.kind.isKeyword else {
            throw unexpected("expected a property's name after the dot")
        }
        let kind: NodeKind = at(.privateName) ? .privateName : .identifier
        try advance()
        return finish(kind, from: start)
    }

    private mutating func bracketedExpression() throws(ParserError) -> NodeID {
        let outer = allowsIn
        allowsIn = true
        defer { allowsIn = outer }
        return try expression()
    }

    /// Parses `key]`
    mutating func bracketed() throws(ParserError) -> NodeID {
        let key = try bracketedExpression()
        try expect(.rightBracket, "]", "after the key")
        return key
    }

    /// Parses `(a, ...b)`
    mutating func arguments() throws(ParserError) -> [NodeID] {
        try expect(.leftParenthesis, "(")
        let outer = (allowsIn, patternOnly)
        allowsIn = true
        patternOnly = nil
        defer { allowsIn = outer.0 }
        var arguments: [NodeID] = []
        while !at(.rightParenthesis) {
            let start = token.start
            if try take(.ellipsis) {
                let value = try assignment()
                arguments.append(finish(.spread, from: start, [value]))
            } else {
                var value = try coverAssignment()
                if at(.for) { value = finish(.generatorExpression, from: start, [value] + (try comprehensionTail())) }
                arguments.append(value)
            }
            guard try take(.comma) else { break }
        }
        try expect(.rightParenthesis, ", or )", "in the arguments")
        // `async ({ a = 1 }) => a` begins as a call.
        if !at(.arrow) { try checkPatternOnly() }
        patternOnly = patternOnly ?? outer.1
        return arguments
    }

    private mutating func newExpression() throws(ParserError) -> NodeID {
        try descend()
        defer { ascend() }
        let start = token.start
        try advance()
        if try take(.dot) {
            guard at(word: "target") else { throw unexpected("expected new.target") }
            try advance()
            return finish(.metaProperty, from: start)
        }
        let inner = token.start
        var callee = at(.new) ? try newExpression() : try primary()
        while let member = try memberPart(of: callee, from: inner) { callee = member }
        if at(.optionalChain) { throw unexpected("new cannot be followed by ?.") }
        return finish(.new, from: start, [callee] + (at(.leftParenthesis) ? try arguments() : []))
    }

    private mutating func importExpression() throws(ParserError) -> NodeID {
        let start = token.start
        try advance()
        guard at(.leftParenthesis) else { throw unexpected("expected ( after import") }
        return finish(.importCall, from: start, try arguments())
    }
}
