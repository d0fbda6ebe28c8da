/// Finds the expressions that are known to be XML without running the script.
///
/// Only what operators mean depends on it: `+` joins XML, `==` compares it. A variable counts as XML when XML is assigned
/// to it anywhere in the script, a parameter when a call by the function's name passes it XML, and a call when the function
/// returns XML somewhere. An expression wrongly taken for XML behaves as before, since the operators check their operands.
struct XMLNames {
    fileprivate enum Variable: Hashable {
        /// A variable by its index in ``NameTable/bindings``.
        case declared(Int)
        case free(String)
    }

    private let tree: SyntaxTree
    private let table: NameTable
    private var variables: Set<Variable> = []
    /// The variables whose functions return XML.
    private var givers: Set<Variable> = []
    /// True if the script has anything to do with XML at all.
    let isUsed: Bool

    init(_ tree: SyntaxTree, _ table: NameTable) {
        self.tree = tree
        self.table = table
        var isUsed = table.free.contains { $0.name == "XML" || $0.name == "XMLList" }
        var assignments: [(targets: [NodeID], value: NodeID)] = []
        for id in tree.all {
            switch tree.kind(id) {
            case .xmlLiteral, .xmlAccess, .xmlDescendants, .xmlFilter: isUsed = true
            case .declarator where !tree.child(id, 1).isAbsent:
                assignments.append(([tree.child(id, 0)], tree.child(id, 1)))
            case .assignment: assignments.append(([tree.child(id, 0)], tree.child(id, 1)))
            case .forInStatement where tree.loopKind(id) == .each:
                assignments.append((tree.names(in: tree.child(id, 0)), tree.child(id, 1)))
            default: break
            }
        }
        self.isUsed = isUsed
        guard isUsed else { return }
        let calls = XMLCalls(tree, named: variable)
        assignments += calls.arguments
        var isGrowing = true
        while isGrowing {
            let count = variables.count + givers.count
            for (targets, value) in assignments where isXML(value) {
                for target in targets where tree.kind(target) == .identifier { variables.insert(variable(target)) }
            }
            for (function, value) in calls.results where isXML(value) { givers.insert(function) }
            isGrowing = variables.count + givers.count > count
        }
    }

    private func variable(_ identifier: NodeID) -> Variable {
        table.binding(of: identifier).map { .declared($0) } ?? .free(tree.name(identifier))
    }

    private static let methods: Set<String> = [
        "appendChild", "attribute", "attributes", "child", "children", "comments", "copy", "descendants", "elements",
        "insertChildAfter", "insertChildBefore", "normalize", "parent", "prependChild", "replace", "setChildren",
        "text",
    ]

    func isXML(_ id: NodeID) -> Bool {
        var id = tree.unwrapped(id)
        while true {
            switch tree.kind(id) {
            case .xmlLiteral, .xmlAccess, .xmlDescendants, .xmlFilter, .xmlAttribute: return true
            case .identifier: return variables.contains(variable(id))
            case .member, .index: id = tree.unwrapped(tree.child(id, 0))
            case .new, .call:
                let callee = tree.child(id, 0)
                if tree.kind(callee) == .identifier {
                    if tree.kind(id) == .call, givers.contains(variable(callee)) { return true }
                    return table.binding(of: callee) == nil && ["XML", "XMLList"].contains(tree.name(callee))
                }
                guard tree.kind(callee) == .member, Self.methods.contains(tree.name(tree.child(callee, 1))) else {
                    return false
                }
                id = tree.unwrapped(tree.child(callee, 0))
            default: return false
            }
        }
    }
}

/// The arguments and results of named functions.
private struct XMLCalls {
    /// The parameters, each with the value that a call passes.
    private(set) var arguments: [(targets: [NodeID], value: NodeID)] = []
    /// The variables that hold functions, each with a value that the function returns.
    private(set) var results: [(function: XMLNames.Variable, value: NodeID)] = []

    init(_ tree: SyntaxTree, named variable: (NodeID) -> XMLNames.Variable) {
        var functions: [XMLNames.Variable: [NodeID]] = [:]
        var names: [NodeID: XMLNames.Variable] = [:]
        var calls: [NodeID] = []
        var returns: [(function: NodeID, value: NodeID)] = []
        var stack: [NodeID] = []
        func note(_ name: NodeID, _ function: NodeID) {
            guard tree.kind(name) == .identifier, tree.isFunction(function) else { return }
            functions[variable(name), default: []].append(function)
            names[function] = variable(name)
        }
        tree.walk(
            from: tree.root,
            enter: { id in
                if tree.isFunction(id) {
                    stack.append(id)
                    let body = tree.child(id, 2)
                    if !body.isAbsent, tree.kind(body) != .functionBody { returns.append((id, body)) }
                }
                switch tree.kind(id) {
                case .functionDeclaration: note(tree.child(id, 0), id)
                case .declarator where !tree.child(id, 1).isAbsent, .assignment:
                    note(tree.child(id, 0), tree.unwrapped(tree.child(id, 1)))
                case .call where tree.kind(tree.child(id, 0)) == .identifier: calls.append(id)
                case .returnStatement where !tree.child(id, 0).isAbsent:
                    if let function = stack.last { returns.append((function, tree.child(id, 0))) }
                default: break
                }
                return true
            }, leave: { id in if tree.isFunction(id) { stack.removeLast() } })
        for (function, value) in returns {
            if let name = names[function] { results.append((name, value)) }
        }
        for call in calls {
            for function in functions[variable(tree.child(call, 0))] ?? [] {
                let parameters = tree.children(tree.child(function, 1))
                arguments += zip(parameters, tree.children(call).dropFirst()).map { ([$0], $1) }
            }
        }
    }
}
