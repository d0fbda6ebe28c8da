/// Adds counters to a script, and keeps the numbers of all lines.
///
/// The script must be valid for the engine: translate it first. It then needs an array of ``CoveragePoints/counterCount`` zeros in
/// the global scope under ``InstrumentedScript/counters``. Its behaviour stays the same, except that the unused value of the script
/// as a whole may be a count.
public struct InstrumentedScript: Sendable {
    /// The array's name.
    public static let counters = "__coverage"

    /// The source to run.
    public let source: String
    public let points: CoveragePoints
    /// The map from positions in ``source`` to those in the script.
    public let map: SourceMap

    public init(_ tree: SyntaxTree, counters: String = InstrumentedScript.counters) {
        var instrumenter = CoverageInstrumenter(tree, counters)
        instrumenter.run()
        let (text, map) = instrumenter.edits.apply()
        source = text.text
        points = instrumenter.points
        self.map = map
    }
}

struct CoverageInstrumenter {
    let tree: SyntaxTree
    private let counters: String
    var edits: EditList
    var points = CoveragePoints()
    /// The counters of statements that have been given one.
    private var counterOf: [NodeID: Int] = [:]
    private var names = FunctionNames()

    init(_ tree: SyntaxTree, _ counters: String) {
        self.tree = tree
        self.counters = counters
        edits = EditList(tree.source)
    }

    mutating func run() {
        var work = [tree.root]
        while let id = work.popLast() {
            names.read(id, in: tree)
            enter(id)
            work.append(contentsOf: tree.children(id).reversed().filter { !$0.isAbsent })
        }
    }

    private mutating func newCounter() -> Int {
        points.counterCount += 1
        return points.counterCount - 1
    }

    private func raise(_ counter: Int) -> String { "\(counters)[\(counter)]++" }

    private mutating func enter(_ id: NodeID) {
        switch tree.kind(id) {
        case .program, .functionBody: countStatements(Array(tree.children(id)), directives: true, in: id)
        case .block, .staticBlock: countStatements(Array(tree.children(id)), directives: false, in: id)
        case .switchStatement: countCases(id)
        case .ifStatement: countIf(id)
        case .forStatement, .forInStatement, .whileStatement, .withStatement: countBody(tree.children(id).last)
        case .doWhileStatement: countBody(tree.child(id, 0))
        case .functionDeclaration, .functionExpression, .arrowFunction, .method: countFunction(id)
        case .conditional: countConditional(id)
        case .binary: countLogical(id)
        default: break
        }
    }

    // MARK: Statements

    private mutating func countStatements(_ statements: [NodeID], directives: Bool, in parent: NodeID) {
        var isPrologue = directives
        var previous = NodeID.absent
        for statement in statements {
            defer { previous = statement }
            if isPrologue, tree.isDirective(statement) { continue }
            isPrologue = false
            guard isCounted(statement) else { continue }
            // Inside the expression that changes `edits`, this call would copy self with all its contents.
            let counter = count(statement)
            // A variable named "let" on a separate line would declare the identifier after it.
            let before = tree.range(previous)
            let end = before.end == before.start + 3 && tree.text(previous) == "let" ? ";" : ""
            edits.open(tree.range(statement).start, end + raise(counter) + ";")
        }
    }

    /// Functions exist before the first statement runs; empty statements do nothing.
    private func isCounted(_ statement: NodeID) -> Bool {
        switch tree.kind(statement) {
        case .functionDeclaration, .emptyStatement, .block: false
        default: true
        }
    }

    /// Adds a counter for a statement and returns it.
    private mutating func count(_ statement: NodeID) -> Int {
        let counter = newCounter()
        counterOf[statement] = counter
        note(tree.range(statement), counter)
        return counter
    }

    private mutating func note(_ range: SourceRange, _ counter: Int) {
        points.statements.append(
            CoveragePoints.Statement(
                range: range, start: tree.source.position(at: range.start), end: tree.source.position(at: range.end),
                counter: counter))
    }

    /// A body that is one statement gets braces.
    private mutating func countBody(_ body: NodeID?) {
        guard let body, tree.kind(body) != .block else { return }
        if isCounted(body) {
            wrapBody(body, count(body))
        } else if tree.kind(body) == .functionDeclaration {
            wrapBody(body, newCounter())
        }
    }

    private mutating func wrapBody(_ body: NodeID, _ counter: Int) {
        edits.open(tree.range(body).start, "{\(raise(counter));")
        edits.close(tree.range(body).end, "}")
    }

    private mutating func countIf(_ id: NodeID) {
        var paths: [CoveragePoints.Path] = []
        var ways: [CoveragePoints.BranchArm] = []
        for (part, name) in [(tree.child(id, 1), "if"), (tree.child(id, 2), "else")] where !part.isAbsent {
            paths.append(.counter(countPath(part)))
            ways.append(way(name, part))
        }
        if paths.count == 1, case .counter(let then) = paths[0], let all = counterOf[id] {
            paths.append(.remainder(of: all, without: [then]))
            let start = tree.source.position(at: tree.range(id).start)
            ways.append(CoveragePoints.BranchArm(name: "else", start: start, end: start))
        }
        addBranch(.if, id, paths, ways)
    }

    /// Counts how often a part of an `if` is reached.
    private mutating func countPath(_ part: NodeID) -> Int {
        if tree.kind(part) == .block {
            let counter = newCounter()
            edits.open(tree.range(part).start + 1, raise(counter) + ";")
            return counter
        }
        let counter = isCounted(part) ? count(part) : newCounter()
        wrapBody(part, counter)
        return counter
    }

    private mutating func countCases(_ id: NodeID) {
        var paths: [CoveragePoints.Path] = []
        var ways: [CoveragePoints.BranchArm] = []
        for part in tree.children(id).dropFirst() {
            let statements = Array(tree.children(part).dropFirst())
            // A case without statements leads into the next, which counts.
            guard let first = statements.first else { continue }
            let counter = newCounter()
            edits.open(tree.range(first).start, raise(counter) + ";")
            paths.append(.counter(counter))
            ways.append(way(caseName(tree.child(part, 0)), part))
            countStatements(statements, directives: false, in: part)
        }
        addBranch(.switch, id, paths, ways)
    }

    private mutating func addBranch(
        _ kind: CoveragePoints.Branch.Kind, _ id: NodeID, _ paths: [CoveragePoints.Path],
        _ ways: [CoveragePoints.BranchArm]
    ) {
        guard !paths.isEmpty else { return }
        points.branches.append(
            CoveragePoints.Branch(
                kind: kind, start: tree.source.position(at: tree.range(id).start), paths: paths, ways: ways))
    }

    private func way(_ name: String, _ part: NodeID) -> CoveragePoints.BranchArm {
        let range = tree.range(part)
        return CoveragePoints.BranchArm(
            name: name, start: tree.source.position(at: range.start), end: tree.source.position(at: range.end))
    }

    /// Returns `case "x"`, or `default` where there is no test.
    private func caseName(_ test: NodeID) -> String {
        guard !test.isAbsent else { return "default" }
        let text = tree.text(test).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return "case \(text.count <= 20 ? text : "\(text.prefix(19))…")"
    }

    // MARK: Functions and expressions

    private mutating func countFunction(_ id: NodeID) {
        let body = tree.child(id, 2)
        let counter = newCounter()
        points.functions.append(
            CoveragePoints.Function(
                name: names.name(of: id, in: tree),
                start: tree.source.position(at: tree.range(id).start), counter: counter))
        guard tree.kind(body) == .functionBody else {
            note(tree.range(body), counter)
            return wrap(body, counter)
        }
        // A directive that a new line ends has no semicolon.
        if let end = tree.endOfDirectives(body) {
            edits.close(end, ";\(raise(counter));")
        } else {
            edits.close(tree.range(body).start + 1, "\(raise(counter));")
        }
    }

    private mutating func wrap(_ expression: NodeID, _ counter: Int) {
        edits.open(tree.range(expression).start, "(\(raise(counter)),")
        edits.close(tree.range(expression).end, ")")
    }

    private mutating func countConditional(_ id: NodeID) {
        var paths: [CoveragePoints.Path] = []
        var ways: [CoveragePoints.BranchArm] = []
        for (part, name) in [(tree.child(id, 1), "left of :"), (tree.child(id, 2), "right of :")] {
            let counter = newCounter()
            wrap(part, counter)
            paths.append(.counter(counter))
            ways.append(way(name, part))
        }
        addBranch(.conditional, id, paths, ways)
    }

    private mutating func countLogical(_ id: NodeID) {
        let sign: String
        switch tree.operation(id) {
        case .and: sign = "&&"
        case .or: sign = "||"
        case .coalesce: sign = "??"
        default: return
        }
        // "a && b && c" is counted at each right side: they are parenthesized one by one.
        let counter = newCounter()
        wrap(tree.child(id, 1), counter)
        addBranch(.logical, id, [.counter(counter)], [way("right of \(sign)", tree.child(id, 1))])
    }
}
