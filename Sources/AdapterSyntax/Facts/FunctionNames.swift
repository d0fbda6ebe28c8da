/// The names of functions that have none of their own: those of the variables and members that they are written into.
struct FunctionNames {
    private var names: [NodeID: String] = [:]

    /// Takes in what a node names. The nodes around a function must come before it.
    mutating func read(_ id: NodeID, in tree: SyntaxTree) {
        switch tree.kind(id) {
        case .variableDeclaration:
            for declarator in tree.children(id) where tree.kind(tree.child(declarator, 0)) == .identifier {
                names[tree.unwrapped(tree.child(declarator, 1))] = tree.name(tree.child(declarator, 0))
            }
        case .assignment: names[tree.unwrapped(tree.child(id, 1))] = tree.path(tree.child(id, 0))
        case .property, .classMember:
            guard !tree.propertyTraits(id).contains(.computed) else { return }
            names[tree.unwrapped(tree.child(id, 1))] = tree.key(tree.child(id, 0))
        default: break
        }
    }

    /// Its own name, or else what it is written into; `nil` when it has neither.
    func name(of function: NodeID, in tree: SyntaxTree) -> String? {
        let own = tree.child(function, 0)
        return own.isAbsent ? names[function] : tree.name(own)
    }
}
