/// The names of functions that have none of their own: those of the variables and members that they are written into.
struct FunctionNames {
    private var names: [NodeID: String] = [:]

    /// Takes in what a node names. The nodes around a function must come before it.
    mutating func read(_ id: NodeID, in tree: SyntaxTree) {
        switch tree.kind(id) {
        case .variableDeclaration:
            for declarator in tree.children(id) where tree.kind(tree.child(declarator, 0)) == .identifier {
                names[tree.child(declarator, 1)] = tree.name(tree.child(declarator, 0))
            }
        case .assignment: names[tree.child(id, 1)] = tree.path(tree.child(id, 0))
        case .property where !tree.propertyTraits(id).contains(.computed):
            names[tree.child(id, 1)] = tree.key(tree.child(id, 0))
        default: break
        }
    }

    subscript(function: NodeID) -> String? { names[function] }
}
