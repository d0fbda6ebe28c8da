/// A recursive-descent parser for the syntax that JavaScriptCore accepts, and for the additional syntax of Rhino.
struct Parser {
    /// The largest depth of nested constructs. Real scripts stay below 50.
    static let deepest = 400

    /// The state that stays when the parser goes back. In a class, because unoptimized code copies the parser at every level
    /// of its recursion, and stacks are short.
    final class Memory {
        let source: SourceText
        /// The kind of each `let (`, by its beginning: each is examined once, however deep it is nested.
        var letHeads: [Int: LetHead] = [:]

        init(_ source: SourceText) {
            self.source = source
        }
    }

    let memory: Memory
    var lexer: Lexer
    var token: Token
    /// The end of the token before the current one.
    var previousEnd = 0
    var nodes: [SyntaxTree.Node] = []
    var childIDs: [NodeID] = []
    var depth = 0
    var function = FunctionState()
    /// The position of a `name = value` in an object literal, which only a pattern may have.
    var patternOnly: Int?
    /// True if `in` is an operator here: not at the head of a `for`.
    var allowsIn = true
    /// True if `yield` is a keyword in plain functions too, as in JavaScript 1.7.
    let yieldsInPlainFunctions: Bool
    /// True if a plain function had a `yield` that can be nothing else.
    var sawPlainYield = false

    /// The state that the surrounding statements determine.
    struct FunctionState {
        var isInFunction = false
        var traits: FunctionTraits = []
        var labels: [String] = []
        var loops = 0
        var switches = 0
    }

    private init(_ source: SourceText, yieldsInPlainFunctions: Bool) {
        memory = Memory(source)
        self.yieldsInPlainFunctions = yieldsInPlainFunctions
        lexer = Lexer(source.bytes)
        token = Token(kind: .end, start: 0, end: 0, followsLineBreak: true)
        nodes.reserveCapacity(source.bytes.count / 4)
        childIDs.reserveCapacity(source.bytes.count / 4)
        nodes.append(SyntaxTree.Node(kind: .absent, detail: 0, start: 0, end: 0, firstChild: 0, childCount: 0))
    }

    static func parse(_ source: SourceText) throws(SourceSyntaxError) -> SyntaxTree {
        do throws(ParserError) {
            guard source.bytes.count < 1 << 31 else { throw ParserError("the script is larger than 2 GB", at: 0) }
            var parser = Parser(source, yieldsInPlainFunctions: false)
            var root = try parser.program()
            if parser.sawPlainYield {
                parser = Parser(source, yieldsInPlainFunctions: true)
                root = try parser.program()
            }
            return SyntaxTree(source: source, nodes: parser.nodes, childIDs: parser.childIDs, root: root)
        } catch {
            throw SourceSyntaxError(error.message, at: error.range, in: source)
        }
    }

    private mutating func program() throws(ParserError) -> NodeID {
        try advance()
        let statements = try statementList(until: .end, directives: true)
        return add(.program, 0, source.bytes.count, statements, detail: function.traits.rawValue)
    }

    var source: SourceText { memory.source }

    // MARK: Nodes

    mutating func add(
        _ kind: NodeKind, _ start: Int, _ end: Int, _ children: [NodeID] = [], detail: UInt8 = 0
    ) -> NodeID {
        let first = childIDs.count
        childIDs.append(contentsOf: children)
        nodes.append(
            SyntaxTree.Node(
                kind: kind, detail: detail, start: UInt32(start), end: UInt32(end), firstChild: UInt32(first),
                childCount: UInt32(children.count)))
        return NodeID(index: UInt32(nodes.count - 1))
    }

    /// Makes a node from `start` to the end of the last token.
    mutating func finish(
        _ kind: NodeKind, from start: Int, _ children: [NodeID] = [], detail: UInt8 = 0
    ) -> NodeID {
        add(kind, start, previousEnd, children, detail: detail)
    }

    func kind(_ id: NodeID) -> NodeKind { nodes[Int(id.index)].kind }

    func start(_ id: NodeID) -> Int { Int(nodes[Int(id.index)].start) }

    func range(_ id: NodeID) -> SourceRange {
        SourceRange(Int(nodes[Int(id.index)].start), Int(nodes[Int(id.index)].end))
    }

    func children(_ id: NodeID) -> ArraySlice<NodeID> {
        let node = nodes[Int(id.index)]
        return childIDs[Int(node.firstChild)..<Int(node.firstChild + node.childCount)]
    }

    // MARK: Tokens

    mutating func advance() throws(ParserError) {
        previousEnd = token.end
        token = try lexer.next()
    }

    func at(_ kind: TokenKind) -> Bool { token.kind == kind }

    /// Returns whether the current token is this name, written without escapes.
    func at(word: StaticString) -> Bool { token.kind == .identifier && isWord(token, word) }

    func isWord(_ token: Token, _ word: StaticString) -> Bool {
        guard token.end - token.start == word.utf8CodeUnitCount else { return false }
        for index in 0..<word.utf8CodeUnitCount where lexer.bytes[token.start + index] != word.utf8Start[index] {
            return false
        }
        return true
    }

    mutating func take(_ kind: TokenKind) throws(ParserError) -> Bool {
        guard token.kind == kind else { return false }
        try advance()
        return true
    }

    /// Takes the token that must be here.
    ///
    /// - Parameter role: what it is for, as in "to end the block".
    mutating func expect(_ kind: TokenKind, _ sign: String, _ role: String = "") throws(ParserError) {
        guard token.kind == kind else { throw unexpected("expected \(sign)\(role.isEmpty ? "" : " ")\(role)") }
        try advance()
    }

    /// Returns the error for the current token, which is unexpected.
    func unexpected(_ expectation: String) -> ParserError {
        let found =
            token.kind == .end
            ? "the script ends too soon" : "\"\(shortened(token.range))\" is not expected here"
        return ParserError("\(found): \(expectation)", at: token.range)
    }

    private func shortened(_ range: SourceRange) -> String {
        let text = source.text(in: range)
        return text.count <= 30 ? text : text.prefix(27) + "..."
    }

    /// Returns the token after the current one without consuming any.
    func next() -> Token? {
        var lexer = lexer
        return try? lexer.next()
    }

    /// Reads ahead, and then returns to the start.
    ///
    /// - Returns: `nil` when the source ahead does not parse.
    mutating func looking<Result>(_ read: (inout Parser) throws(ParserError) -> Result) -> Result? {
        let (lexer, token, previousEnd, depth) = (lexer, token, previousEnd, depth)
        let (function, patternOnly, allowsIn, sawPlainYield) = (function, patternOnly, allowsIn, sawPlainYield)
        let counts = (nodes.count, childIDs.count)
        let result = try? read(&self)
        (self.lexer, self.token, self.previousEnd, self.depth) = (lexer, token, previousEnd, depth)
        (self.function, self.patternOnly, self.allowsIn) = (function, patternOnly, allowsIn)
        self.sawPlainYield = sawPlainYield
        nodes.removeSubrange(counts.0...)
        childIDs.removeSubrange(counts.1...)
        return result
    }

    /// Takes the end of a statement: a semicolon, or an automatically inserted one.
    mutating func endStatement() throws(ParserError) {
        if try take(.semicolon) { return }
        if token.kind == .end || token.kind == .rightBrace || token.followsLineBreak { return }
        throw unexpected("expected ; or a new line after the statement")
    }

    // MARK: Depth

    mutating func descend() throws(ParserError) {
        depth += 1
        if depth > Self.deepest {
            throw ParserError(
                "the script is nested too deeply here: at most \(Self.deepest) levels are read", at: token.range)
        }
    }

    mutating func ascend() { depth -= 1 }
}

extension SyntaxTree {
    /// Reads a script.
    ///
    /// - Throws: ``SourceSyntaxError`` for the first thing that neither JavaScriptCore nor Rhino would read. Not all that they
    ///   refuse is found here: the rules of strict mode, names declared twice and the insides of regular expressions are
    ///   left to the engine's own check.
    public init(_ source: String, file: String) throws(SourceSyntaxError) {
        self = try Parser.parse(SourceText(source, file: file))
    }
}
