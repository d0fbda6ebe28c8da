extension Parser {
    mutating func objectLiteral() throws(ParserError) -> NodeID {
        let start = token.start
        try advance()
        let outer = allowsIn
        allowsIn = true
        defer { allowsIn = outer }
        var properties: [NodeID] = []
        while !at(.rightBrace) {
            properties.append(try property())
            if !at(.rightBrace) { try expect(.comma, ", or }", "in the object") }
        }
        try advance()
        return finish(.objectLiteral, from: start, properties)
    }

    private mutating func property() throws(ParserError) -> NodeID {
        let start = token.start
        if try take(.ellipsis) {
            let value = try coverAssignment()
            return finish(.spread, from: start, [value])
        }
        var head = try methodHead()
        let isName = at(.identifier)
        let (key, keyTraits) = try propertyKey()
        head.property.formUnion(keyTraits)
        if at(.leftParenthesis) || head.isMethod {
            if head.property.isDisjoint(with: [.getter, .setter]) { head.property.insert(.method) }
            let value = try functionRest(.method, from: token.start, name: .absent, traits: head.function)
            return finish(.property, from: start, [key, value], detail: head.property.rawValue)
        }
        if try take(.colon) {
            let value = try coverAssignment()
            return finish(.property, from: start, [key, value], detail: head.property.rawValue)
        }
        guard isName else { throw unexpected("expected : between the property and its value") }
        head.property.insert(.shorthand)
        var value = add(.identifier, start, previousEnd)
        if at(.assign) {
            let equals = token.start
            try advance()
            let initial = try assignment()
            patternOnly = patternOnly ?? equals
            value = finish(.assignment, from: start, [value, initial], detail: TokenKind.assign.rawValue)
        }
        return finish(.property, from: start, [key, value], detail: head.property.rawValue)
    }

    struct MethodHead {
        var property: PropertyTraits = []
        var function: FunctionTraits = []
        /// True if nothing but a method can follow.
        var isMethod = false
    }

    /// Parses `get`, `set`, `async` and `*` where they are not themselves the name.
    mutating func methodHead() throws(ParserError) -> MethodHead {
        var head = MethodHead()
        if at(word: "get") || at(word: "set") || at(word: "async"), let next = next(), isPropertyKey(next) {
            if at(word: "async") {
                guard !next.followsLineBreak else { return head }
                head.function.insert(.async)
            } else {
                head.property.insert(at(word: "get") ? .getter : .setter)
            }
            head.isMethod = true
            try advance()
        }
        if at(.times) {
            head.function.insert(.generator)
            head.isMethod = true
            try advance()
        }
        return head
    }

    private func isPropertyKey(_ token: Token) -> Bool {
        switch token.kind {
        case .identifier, .privateName, .string, .number, .bigInt, .leftBracket, .times: true
        default: token.kind.isKeyword
        }
    }

    mutating func propertyKey() throws(ParserError) -> (NodeID, PropertyTraits) {
        let start = token.start
        let kind: NodeKind
        switch token.kind {
        case .string: kind = .stringLiteral
        case .number: kind = .numberLiteral
        case .bigInt: kind = .bigIntLiteral
        case .privateName: kind = .privateName
        case .leftBracket:
            try advance()
            let outer = allowsIn
            allowsIn = true
            defer { allowsIn = outer }
            let key = try assignment()
            try expect(.rightBracket, "]", "after the property's name")
            return (key, .computed)
        default:
            guard at(.identifier) || token.kind.isKeyword else { throw unexpected("expected a property's name") }
            kind = .identifier
        }
        try advance()
        return (finish(kind, from: start), [])
    }

    // MARK: Classes

    mutating func classDefinition(_ kind: NodeKind) throws(ParserError) -> NodeID {
        let start = token.start
        try advance()
        var name = NodeID.absent
        if at(.identifier) {
            name = try bindingIdentifier()
        } else if kind == .classDeclaration {
            throw unexpected("expected the class's name")
        }
        let outer = function.traits
        function.traits.insert(.strict)
        defer { function.traits = outer }
        let parent = try take(.extends) ? try leftHandSide() : .absent
        let bodyStart = token.start
        try expect(.leftBrace, "{", "to begin the class")
        var members: [NodeID] = []
        while !at(.rightBrace) {
            if try take(.semicolon) { continue }
            members.append(try classMember())
        }
        try advance()
        let body = finish(.classBody, from: bodyStart, members)
        return finish(kind, from: start, [name, parent, body])
    }

    private mutating func classMember() throws(ParserError) -> NodeID {
        let start = token.start
        var isStatic = false
        if at(word: "static"), let next = next(), isPropertyKey(next) || next.kind == .leftBrace {
            try advance()
            isStatic = true
            if at(.leftBrace) {
                let outer = enterFunction([.strict])
                let block = try functionBody()
                leaveFunction(outer)
                return finish(.staticBlock, from: start, Array(children(block)))
            }
        }
        var head = try methodHead()
        if isStatic { head.property.insert(.isStatic) }
        let (key, keyTraits) = try propertyKey()
        head.property.formUnion(keyTraits)
        if at(.leftParenthesis) || head.isMethod {
            if head.property.isDisjoint(with: [.getter, .setter]) { head.property.insert(.method) }
            let value = try functionRest(.method, from: token.start, name: .absent, traits: head.function)
            return finish(.classMember, from: start, [key, value], detail: head.property.rawValue)
        }
        var value = NodeID.absent
        if try take(.assign) {
            let outer = enterFunction([.strict])
            value = try assignment()
            leaveFunction(outer)
        }
        try endStatement()
        return finish(.classMember, from: start, [key, value], detail: head.property.rawValue)
    }
}
