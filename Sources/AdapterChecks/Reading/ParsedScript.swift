import AdapterSyntax
import WorklightProject

/// A parsed script of an adapter, with its facts.
struct ParsedScript: Sendable {
    let descriptor: AdapterDescriptor
    let tree: SyntaxTree
    let facts: ScriptFacts
    /// The meaning of each name in it.
    let names: ResolvedNames
    /// The names that the script defines at its top level, also as `this.name = …`.
    let definedNames: Set<String>
    /// True if the script can get names that its source does not show: see ``DefinedNames``.
    let hasHiddenNames: Bool

    /// - Returns: `nil` when the script cannot be read.
    init?(_ adapter: Project.Adapter) {
        descriptor = adapter.descriptor
        guard let tree = try? SyntaxTree(adapter.script, file: adapter.descriptor.scriptPath) else { return nil }
        self.tree = tree
        facts = ScriptFacts(tree)
        names = ResolvedNames(tree)
        let defined = DefinedNames(tree)
        definedNames = facts.globalNames.union(defined.ofThis)
        hasHiddenNames = defined.areHidden
    }

    /// Returns whether the script certainly does not define `name` at its top level.
    func lacks(_ name: String) -> Bool { !hasHiddenNames && !definedNames.contains(name) }

    /// Returns whether a path such as `WL.Server.invokeHttp` begins with a name that the runtime defines, at this very position.
    func isRuntimeName(_ path: NodeID) -> Bool {
        guard let root = tree.root(ofPath: path), let use = names[root] else { return false }
        return use.meaning == .free && !definedNames.contains(use.name)
    }

    /// Returns the name of the script's own function that an expression calls without arguments, and that certainly returns neither a function
    /// nor a name: `go` for `go()`; `nil` for anything else.
    func calledFunction(at range: SourceRange) -> String? {
        let text = tree.source.text(in: range)
        guard let name = (text.wholeMatch(of: /([A-Za-z_$][\w$]*)\s*\(\s*\)/)?.1).map(String.init) else { return nil }
        let functions = facts.functions.filter { $0.isGlobal && $0.name == name }
        guard functions.count == 1 else { return nil }
        let returned = tree.all.filter {
            tree.kind($0) == .returnStatement && functions[0].range.contains(tree.range($0))
        }.map { tree.child($0, 0) }
        let isPlain = returned.allSatisfy { value in
            switch tree.kind(tree.unwrapped(value)) {
            case .numberLiteral, .trueLiteral, .falseLiteral, .nullLiteral, .objectLiteral, .arrayLiteral: true
            default: value.isAbsent
            }
        }
        return isPlain ? name : nil
    }

    /// Returns the calls of a function of `WL.Server`.
    func calls(of names: String...) -> [ScriptFacts.ServerCall] {
        facts.serverCalls.filter { names.contains($0.name) }
    }

    /// Makes a problem at a position of the script.
    func problem(
        _ id: CheckID, at range: SourceRange, _ message: String, severity: ProjectError.Severity = .warning,
        fix: String? = nil
    ) -> ProjectError {
        let position = tree.source.position(at: range.start)
        return ProjectError(
            severity, file: descriptor.scriptPath, line: position.line, column: position.column, message,
            id: id.rawValue, fix: fix)
    }

    /// Makes a problem at a line of the adapter's XML.
    func problem(_ id: CheckID, inXMLAt line: Int, _ message: String) -> ProjectError {
        ProjectError(.warning, file: descriptor.path, line: line, message, id: id.rawValue)
    }
}

extension SyntaxTree {
    func isLogical(_ id: NodeID) -> Bool {
        kind(id) == .binary && [.and, .or, .coalesce].contains(operation(id))
    }
}

/// Expressions by which a script checks whether something exists: `if (a.b)`, `typeof a.b`, `a.b || c`, `a.b === undefined`.
enum ExistenceGuards {
    /// Returns the expression that a node asks for; `nil` when it asks for none.
    static func subject(of id: NodeID, _ tree: SyntaxTree) -> NodeID? {
        switch tree.kind(id) {
        case .ifStatement, .conditional, .whileStatement: tree.child(id, 0)
        case .binary where tree.isLogical(id) || isComparison(tree.operation(id)): tree.child(id, 0)
        case .unary where [.not, .typeof].contains(tree.operation(id)): tree.child(id, 0)
        default: nil
        }
    }

    private static func isComparison(_ operation: TokenKind) -> Bool {
        [.equal, .notEqual, .strictEqual, .strictNotEqual].contains(operation)
    }
}
