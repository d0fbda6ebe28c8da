/// Which expressions are XML, as far as can be told without running the script.
///
/// Only what operators mean depends on it: `+` joins XML, `==` compares it. A variable counts as XML when XML is assigned
/// to it anywhere in the script.
struct XMLNames {
    private enum Variable: Hashable {
        /// By its index in ``NameTable/bindings``.
        case declared(Int)
        case free(String)
    }

    private let tree: SyntaxTree
    private let table: NameTable
    private var variables: Set<Variable> = []
    /// Whether the script has anything to do with XML at all.
    let isUsed: Bool

    init(_ tree: SyntaxTree, _ table: NameTable) {
        self.tree = tree
        self.table = table
        var isUsed = table.free.contains { $0.name == "XML" || $0.name == "XMLList" }
        var assignments: [(targets: [NodeID], value: NodeID)] = []
        tree.forEach { id in
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
        var isGrowing = true
        while isGrowing {
            let count = variables.count
            for (targets, value) in assignments where isXML(value) {
                for target in targets where tree.kind(target) == .identifier { variables.insert(variable(target)) }
            }
            isGrowing = variables.count > count
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
