extension Parser {
    mutating func functionDeclaration() throws(ParserError) -> NodeID {
        let start = token.start
        let traits = try functionHead()
        guard at(.identifier) else { throw unexpected("expected the function's name") }
        let name = try bindingIdentifier()
        return try functionRest(.functionDeclaration, from: start, name: name, traits: traits)
    }

    mutating func functionExpression() throws(ParserError) -> NodeID {
        let start = token.start
        let traits = try functionHead()
        let name = at(.identifier) ? try bindingIdentifier() : .absent
        return try functionRest(.functionExpression, from: start, name: name, traits: traits)
    }

    /// `async function *`
    private mutating func functionHead() throws(ParserError) -> FunctionTraits {
        var traits: FunctionTraits = []
        if at(word: "async") {
            traits.insert(.async)
            try advance()
        }
        try advance()
        if try take(.times) { traits.insert(.generator) }
        return traits
    }

    /// Parameters and body.
    mutating func functionRest(
        _ kind: NodeKind, from start: Int, name: NodeID, traits: FunctionTraits
    ) throws(ParserError) -> NodeID {
        let outer = enterFunction(traits)
        let parameters = try self.parameters()
        let body: NodeID
        if at(.leftBrace) {
            body = try functionBody()
        } else if canBeginExpressionBody() {
            // Rhino's expression closure: function (x) x * x
            function.traits.insert(.expressionBody)
            body = try assignment()
        } else {
            throw unexpected("expected { to begin the function's body")
        }
        let detail = function.traits.rawValue
        leaveFunction(outer)
        return finish(kind, from: start, [name, parameters, body], detail: detail)
    }

    private func canBeginExpressionBody() -> Bool {
        switch token.kind {
        case .identifier, .number, .bigInt, .string, .regularExpression, .template, .templateHead, .this, .null, .true,
            .false, .leftParenthesis, .leftBracket, .function, .new, .typeof, .void, .delete, .not, .bitNot, .plus,
            .minus, .increment, .decrement, .divide, .less:
            true
        default: false
        }
    }

    mutating func arrowFunction(
        _ parameters: NodeID, from start: Int, traits: FunctionTraits = []
    ) throws(ParserError) -> NodeID {
        try advance()
        var outer = enterFunction(traits)
        if at(.leftBrace) {
            // The body of an arrow function allows `in` though the head of a loop around it does not.
            let body = try functionBody()
            let detail = function.traits.rawValue
            leaveFunction(outer)
            return finish(.arrowFunction, from: start, [.absent, parameters, body], detail: detail)
        }
        allowsIn = outer.allowsIn
        function.traits.insert(.expressionBody)
        let body = try assignment()
        let detail = function.traits.rawValue
        outer.allowsIn = allowsIn
        leaveFunction(outer)
        return finish(.arrowFunction, from: start, [.absent, parameters, body], detail: detail)
    }

    struct Outer {
        var function: FunctionState
        var allowsIn: Bool
        var patternOnly: Int?
    }

    mutating func enterFunction(_ traits: FunctionTraits) -> Outer {
        let outer = Outer(function: function, allowsIn: allowsIn, patternOnly: patternOnly)
        let inherited = function.traits.intersection(.strict)
        function = FunctionState()
        function.isInFunction = true
        function.traits = traits.union(inherited)
        allowsIn = true
        patternOnly = nil
        return outer
    }

    mutating func leaveFunction(_ outer: Outer) {
        function = outer.function
        allowsIn = outer.allowsIn
        patternOnly = outer.patternOnly
    }

    mutating func functionBody() throws(ParserError) -> NodeID {
        let start = token.start
        try expect(.leftBrace, "{", "to begin the function's body")
        let statements = try statementList(until: .rightBrace, directives: true)
        try advance()
        return finish(.functionBody, from: start, statements)
    }
}
