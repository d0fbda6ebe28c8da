extension Parser {
    /// Statements up to the token that ends them, which is not taken.
    mutating func statementList(until end: TokenKind, directives: Bool = false) throws(ParserError) -> [NodeID] {
        var statements: [NodeID] = []
        var isPrologue = directives
        while token.kind != end {
            if token.kind == .end { throw unexpected("expected } to end what began before") }
            let isText = token.kind == .string
            let text = token.range
            let statement = try self.statement(inList: true)
            if isPrologue {
                isPrologue = isText && isDirective(statement, text: text)
                if isPrologue, source.text(in: text).dropFirst().dropLast() == "use strict" {
                    function.traits.insert(.strict)
                }
            }
            statements.append(statement)
        }
        return statements
    }

    /// Returns whether a statement is nothing but a string.
    private func isDirective(_ statement: NodeID, text: SourceRange) -> Bool {
        guard kind(statement) == .expressionStatement, let expression = children(statement).first else { return false }
        return kind(expression) == .stringLiteral && range(expression) == text
    }

    /// - Parameter inList: whether declarations are allowed.
    mutating func statement(inList: Bool = false) throws(ParserError) -> NodeID {
        try descend()
        defer { ascend() }
        let start = token.start
        switch token.kind {
        case .leftBrace: return try block()
        case .semicolon:
            try advance()
            return finish(.emptyStatement, from: start)
        case .var:
            let declaration = try variableDeclaration(.var)
            return try ended(declaration)
        case .const:
            return try ended(try variableDeclaration(.const))
        case .function: return try functionDeclaration()
        case .class: return try classDefinition(.classDeclaration)
        case .if: return try ifStatement()
        case .for: return try forStatement()
        case .while: return try whileStatement()
        case .do: return try doWhileStatement()
        case .continue, .break: return try jump()
        case .return: return try returnStatement()
        case .with: return try withStatement()
        case .switch: return try switchStatement()
        case .throw: return try throwStatement()
        case .try: return try tryStatement()
        case .debugger:
            try advance()
            try endStatement()
            return finish(.debuggerStatement, from: start)
        case .default: return try defaultXMLNamespace()
        case .import where next().map({ $0.kind != .leftParenthesis && $0.kind != .dot }) ?? true, .export:
            throw ParserError(
                "modules are not available: an adapter is one script; expected a statement without import and export",
                at: token.range)
        case .identifier:
            if let statement = try statementOfName(inList: inList) { return statement }
            return try expressionStatement()
        default: return try expressionStatement()
        }
    }

    /// Parses the statement that begins with a name which may be a word of the language: `let`, `async`, a label.
    private mutating func statementOfName(inList: Bool) throws(ParserError) -> NodeID? {
        let start = token.start
        if at(word: "let") {
            if let block = try letBlock() { return block }
            if let next = next(), startsLetDeclaration(next), inList || next.kind == .leftBracket {
                return try ended(try variableDeclaration(.let))
            }
        } else if at(word: "async"), let next = next(), next.kind == .function, !next.followsLineBreak {
            return try functionDeclaration()
        }
        guard let next = next(), next.kind == .colon else { return nil }
        let label = try bindingIdentifier()
        try advance()
        let name = source.text(in: range(label))
        guard !function.labels.contains(name) else {
            throw ParserError("the label \(name) is already used around here", at: range(label))
        }
        function.labels.append(name)
        defer { _ = function.labels.popLast() }
        let body = try statement()
        return finish(.labeledStatement, from: start, [label, body])
    }

    private func startsLetDeclaration(_ next: Token) -> Bool {
        switch next.kind {
        case .leftBracket, .leftBrace: true
        case .identifier: true
        default: false
        }
    }

    /// Ends a declaration, whose range then includes the semicolon.
    private mutating func ended(_ declaration: NodeID) throws(ParserError) -> NodeID {
        try endStatement()
        nodes[Int(declaration.index)].end = UInt32(previousEnd)
        return declaration
    }

    mutating func block() throws(ParserError) -> NodeID {
        let start = token.start
        try expect(.leftBrace, "{", "to begin a block")
        let statements = try statementList(until: .rightBrace)
        try advance()
        return finish(.block, from: start, statements)
    }

    mutating func expressionStatement() throws(ParserError) -> NodeID {
        let start = token.start
        let value = try expression()
        try endStatement()
        return finish(.expressionStatement, from: start, [value])
    }

    /// Parses `var a = 1, b`, without what ends it.
    mutating func variableDeclaration(_ declaration: DeclarationKind, inFor: Bool = false) throws(ParserError) -> NodeID
    {
        let start = token.start
        try advance()
        var declarators: [NodeID] = []
        repeat {
            let start = token.start
            let target = try bindingTarget()
            var initial = NodeID.absent
            if try take(.assign) {
                initial = try assignment()
            } else if kind(target) != .identifier, !inFor {
                throw unexpected("expected = and a value to take apart")
            }
            declarators.append(finish(.declarator, from: start, [target, initial]))
        } while try take(.comma)
        return finish(.variableDeclaration, from: start, declarators, detail: declaration.rawValue)
    }

    private mutating func ifStatement() throws(ParserError) -> NodeID {
        // A chain of "else if" is read in a loop: it may be longer than nesting may be deep.
        var parts: [(start: Int, test: NodeID, then: NodeID)] = []
        var last = NodeID.absent
        while true {
            let start = token.start
            try advance()
            let test = try condition("if")
            parts.append((start, test, try statement()))
            guard try take(.else) else { break }
            guard at(.if) else {
                last = try statement()
                break
            }
        }
        for part in parts.reversed() {
            last = finish(.ifStatement, from: part.start, [part.test, part.then, last])
        }
        return last
    }

    /// Parses `(test)`; the parentheses are not part of the node.
    mutating func condition(_ word: String) throws(ParserError) -> NodeID {
        try expect(.leftParenthesis, "(", "after \(word)")
        let test = try expression()
        try expect(.rightParenthesis, ")", "to end what \(word) asks")
        return test
    }

    mutating func loopBody() throws(ParserError) -> NodeID {
        function.loops += 1
        defer { function.loops -= 1 }
        return try statement()
    }

    private mutating func whileStatement() throws(ParserError) -> NodeID {
        let start = token.start
        try advance()
        let test = try condition("while")
        let body = try loopBody()
        return finish(.whileStatement, from: start, [test, body])
    }

    private mutating func doWhileStatement() throws(ParserError) -> NodeID {
        let start = token.start
        try advance()
        let body = try loopBody()
        try expect(.while, "while", "after the body of do")
        let test = try condition("while")
        _ = try take(.semicolon)
        return finish(.doWhileStatement, from: start, [body, test])
    }

    private mutating func defaultXMLNamespace() throws(ParserError) -> NodeID {
        let start = token.start
        guard let next = next(), next.kind == .identifier, isWord(next, "xml") else {
            throw unexpected("default belongs into a switch")
        }
        try advance()
        try advance()
        guard at(word: "namespace") else { throw unexpected("expected \"default xml namespace = ...\"") }
        try advance()
        try expect(.assign, "=", "after \"default xml namespace\"")
        let uri = try assignment()
        try endStatement()
        return finish(.defaultXMLNamespace, from: start, [uri])
    }
}
