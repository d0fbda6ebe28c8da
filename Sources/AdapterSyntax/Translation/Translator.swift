/// Finds what only Rhino knew, and notes how to change it.
struct Translator {
    let tree: SyntaxTree
    let names: NameTable
    let xml: XMLNames
    var edits: EditList
    var helpers: Set<RuntimeHelper> = []
    var findings: [RhinoFinding] = []
    var problems: [SourceSyntaxError] = []
    private let lexer: Lexer
    /// The functions around, innermost last.
    private var functions: [NodeID] = []
    /// Parts of E4X names that are translated with the whole.
    var seenSelectors: Set<NodeID> = []
    /// The number of enclosing filters.
    var filters = 0
    /// Constants that are assigned. Translated ones are removed.
    var constWrites: Set<NodeID> = []
    /// The word `const` where it must be `var`.
    var constsMadeVar: [SourceRange] = []
    /// The calls of importClass and importPackage that have been translated.
    var imports: Set<NodeID> = []
    /// The identifiers that refer to nothing in the script.
    let freeNodes: Set<NodeID>
    let overriddenBuiltIns: OverriddenBuiltIns
    /// True if objects can be iterators of Rhino's, so that every loop over keys must check.
    private(set) var hasIterators = false
    /// True if statements that throw something else than an Error are instrumented.
    var marksThrows = false
    var hasMarkedThrows = false

    init(_ tree: SyntaxTree) {
        self.tree = tree
        names = NameTable(tree)
        xml = XMLNames(tree, names)
        edits = EditList(tree.source)
        lexer = Lexer(tree.source.bytes)
        freeNodes = Set(names.free.map(\.node))
        overriddenBuiltIns = OverriddenBuiltIns(tree, names, free: freeNodes)
    }

    mutating func run() {
        // The closures of a walk cannot both change self, so the order is worked out first.
        var work: [(id: NodeID, isLeaving: Bool)] = [(tree.root, false)]
        hasIterators = tree.hasIterators(names)
        translateNames()
        while let (id, isLeaving) = work.popLast() {
            if isLeaving {
                leave(id)
                continue
            }
            enter(id)
            work.append((id, true))
            for child in tree.children(id).reversed() where !child.isAbsent { work.append((child, false)) }
        }
        refuseOtherConstWrites()
    }

    private mutating func enter(_ id: NodeID) {
        switch tree.kind(id) {
        case .functionDeclaration, .functionExpression, .arrowFunction, .method:
            functions.append(id)
            translateFunction(id)
        case .forInStatement: translateLoop(id)
        case .tryStatement: translateTry(id)
        case .throwStatement: markThrow(id)
        case .letBlock: translateLetBlock(id)
        case .letExpression: translateLetExpression(id)
        case .arrayComprehension, .generatorExpression: translateComprehension(id)
        case .xmlLiteral: translateXMLLiteral(id)
        case .xmlAccess, .xmlDescendants: translateXMLAccess(id)
        case .xmlAttribute, .xmlQualified, .xmlWildcard: translateXMLSelector(id)
        case .xmlFilter:
            translateXMLFilter(id)
            filters += 1
        case .defaultXMLNamespace: translateNamespace(id)
        case .binary, .unary: translateXMLOperator(id)
        case .assignment, .prefixUpdate, .postfixUpdate:
            translateConstWrite(id)
            translateXMLOperator(id)
        case .expressionStatement: translateImport(id)
        case .member: translateGeneric(id)
        case .call:
            translateCall(id)
            translateReplace(id)
            refuseImport(id)
        default: break
        }
    }

    private mutating func leave(_ id: NodeID) {
        if tree.isFunction(id) { functions.removeLast() }
        if tree.kind(id) == .xmlFilter { filters -= 1 }
    }

    // MARK: What the parts use

    var function: NodeID? { functions.last }

    mutating func find(_ construct: RhinoConstruct, _ range: SourceRange, _ what: String? = nil) {
        findings.append(
            RhinoFinding(
                construct: construct, range: range, position: tree.source.position(at: range.start),
                message: "\(what ?? construct.rawValue): \(construct.mend)"))
    }

    mutating func refuse(_ construct: RhinoConstruct, _ range: SourceRange, _ why: String) {
        problems.append(
            SourceSyntaxError("\(construct.rawValue): \(why); \(construct.mend)", at: range, in: tree.source))
    }

    /// Returns the token that begins at `offset` or behind blanks there, which must be the border of a token.
    func token(at offset: Int) -> Token? { lexer.token(at: offset) }

    /// Returns the source of a node on one line; `nil` when it has several, or a comment.
    func line(_ id: NodeID) -> String? {
        let text = tree.text(id)
        guard !tree.source.hasLineBreak(in: tree.range(id)), !text.contains("//"), !text.contains("/*") else {
            return nil
        }
        return text
    }
}
