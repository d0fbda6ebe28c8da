extension Parser {
    /// Parses the target of a declaration or parameter: a name or a pattern.
    mutating func bindingTarget() throws(ParserError) -> NodeID {
        switch token.kind {
        case .leftBracket: return try arrayPattern()
        case .leftBrace: return try objectPattern()
        default: return try bindingIdentifier()
        }
    }

    private mutating func bindingElement() throws(ParserError) -> NodeID {
        let start = token.start
        let target = try bindingTarget()
        guard try take(.assign) else { return target }
        let value = try assignmentWithIn()
        return finish(.assignmentPattern, from: start, [target, value])
    }

    private mutating func restElement() throws(ParserError) -> NodeID {
        let start = token.start
        try advance()
        let target = try bindingTarget()
        return finish(.restElement, from: start, [target])
    }

    private mutating func arrayPattern() throws(ParserError) -> NodeID {
        try descend()
        defer { ascend() }
        let start = token.start
        try advance()
        var elements: [NodeID] = []
        while !at(.rightBracket) {
            if at(.comma) {
                elements.append(add(.hole, token.start, token.start))
                try advance()
                continue
            }
            elements.append(at(.ellipsis) ? try restElement() : try bindingElement())
            if !at(.rightBracket) { try expect(.comma, ", or ]", "in the pattern") }
        }
        try advance()
        return finish(.arrayPattern, from: start, elements)
    }

    private mutating func objectPattern() throws(ParserError) -> NodeID {
        try descend()
        defer { ascend() }
        let start = token.start
        try advance()
        var properties: [NodeID] = []
        while !at(.rightBrace) {
            properties.append(at(.ellipsis) ? try restElement() : try propertyPattern())
            if !at(.rightBrace) { try expect(.comma, ", or }", "in the pattern") }
        }
        try advance()
        return finish(.objectPattern, from: start, properties)
    }

    private mutating func propertyPattern() throws(ParserError) -> NodeID {
        let start = token.start
        let isName = at(.identifier)
        var (key, traits) = try propertyKey()
        var target: NodeID
        if try take(.colon) {
            target = try bindingElement()
        } else {
            guard isName else { throw unexpected("expected ':' and a name, or a ')' before the '{'") }
            traits.insert(.shorthand)
            target = add(.identifier, start, previousEnd)
            if try take(.assign) {
                let value = try assignmentWithIn()
                target = finish(.assignmentPattern, from: start, [target, value])
            }
        }
        return finish(.propertyPattern, from: start, [key, target], detail: traits.rawValue)
    }

    /// Parses the parameters of a function, with the parentheses.
    mutating func parameters() throws(ParserError) -> NodeID {
        let start = token.start
        try expect(.leftParenthesis, "(", "before the parameters")
        var parameters: [NodeID] = []
        while !at(.rightParenthesis) {
            if at(.ellipsis) {
                parameters.append(try restElement())
                break
            }
            parameters.append(try bindingElement())
            if !at(.rightParenthesis) { try expect(.comma, ", or )", "in the parameters") }
        }
        try expect(.rightParenthesis, ")", "after the parameters")
        return finish(.parameters, from: start, parameters)
    }

    // MARK: From values to patterns

    /// Makes what was read as a value into what is assigned to.
    ///
    /// - Parameter binding: whether it declares names, as the parameters of an arrow function do.
    mutating func makePattern(_ id: NodeID, binding: Bool) throws(ParserError) {
        let index = Int(id.index)
        switch kind(id) {
        case .identifier, .hole, .restElement: return
        case .arrayLiteral:
            nodes[index].kind = .arrayPattern
            for element in children(id) { try makePattern(element, binding: binding) }
        case .objectLiteral:
            nodes[index].kind = .objectPattern
            for property in children(id) { try makePattern(property, binding: binding) }
        case .property:
            let traits = PropertyTraits(rawValue: nodes[index].detail)
            guard traits.isDisjoint(with: [.getter, .setter, .method]) else { throw cannotAssign(id) }
            nodes[index].kind = .propertyPattern
            if let value = children(id).last { try makePattern(value, binding: binding) }
        case .spread:
            nodes[index].kind = .restElement
            if let target = children(id).first { try makePattern(target, binding: binding) }
        case .assignment where nodes[index].detail == TokenKind.assign.rawValue:
            // Its left side has been made into a pattern when the assignment was read.
            nodes[index].kind = .assignmentPattern
            if binding, let target = children(id).first { try makePattern(target, binding: true) }
        case .arrayPattern, .objectPattern:
            if binding { for element in children(id) { try makePattern(element, binding: true) } }
        case .propertyPattern, .assignmentPattern:
            if binding, let target = kind(id) == .propertyPattern ? children(id).last : children(id).first {
                try makePattern(target, binding: true)
            }
        default:
            if binding {
                throw ParserError("a parameter is a name or a pattern of names, and this is neither", at: range(id))
            }
            try checkSimpleTarget(id)
        }
    }

    /// Checks that an expression can be assigned to. The syntax allows calls; the assignment fails at run time.
    func checkSimpleTarget(_ id: NodeID) throws(ParserError) {
        var id = id
        while kind(id) == .parenthesized, let inner = children(id).first { id = inner }
        switch kind(id) {
        case .identifier, .index, .xmlAccess, .xmlAttribute, .xmlQualified, .call: return
        case .member where nodes[Int(id.index)].detail == 0: return
        default: throw cannotAssign(id)
        }
    }

    private func cannotAssign(_ id: NodeID) -> ParserError {
        ParserError("nothing can be assigned here: expected a variable or a property to the left", at: range(id))
    }
}
