/// The meaning of the names in a script, for checks of its tree.
package struct ResolvedNames: Sendable {
    package enum Meaning: Sendable {
        /// Nothing in the script declares it.
        case free
        /// A variable or function of the top level.
        case topLevel
        /// One of a function or block.
        case local
    }

    /// A use of a name. Declarations, properties and labels are not uses.
    package struct Use: Sendable {
        package let node: NodeID
        package let name: String
        package let meaning: Meaning
        /// Names the variable; `nil` for a free name.
        package let binding: Int?
        /// True if it is assigned there, be it by `+=` or `++`.
        package let isWrite: Bool
        /// True if it is outside of all functions.
        package let isOutsideFunctions: Bool
    }

    /// A variable that is declared once, with a value, and assigned nowhere.
    package struct Constant: Sendable {
        package let binding: Int
        package let name: String
        package let isOfTopLevel: Bool
        package let declarator: NodeID
        package let value: NodeID
    }

    /// The uses in source order.
    package let uses: [Use]
    /// The constants in source order.
    package let constants: [Constant]
    private let indices: [NodeID: Int]

    package init(_ tree: SyntaxTree) {
        let table = NameTable(tree)
        let uses = table.references.map { reference in
            let scope = reference.binding.map { table.bindings[$0].scope }
            return Use(
                node: reference.node, name: reference.name,
                meaning: scope.map { $0 == 0 ? .topLevel : .local } ?? .free, binding: reference.binding,
                isWrite: reference.isWrite, isOutsideFunctions: table.scopes[reference.scope].function == 0)
        }
        self.uses = uses
        indices = Dictionary(uses.indices.map { (uses[$0].node, $0) }) { first, _ in first }
        constants = table.constants(in: tree).map { index, declarator in
            let binding = table.bindings[index]
            return Constant(
                binding: index, name: binding.name, isOfTopLevel: binding.scope == 0, declarator: declarator,
                value: tree.child(declarator, 1))
        }
    }

    /// The use that an identifier is; `nil` when it is none.
    package subscript(_ node: NodeID) -> Use? { indices[node].map { uses[$0] } }
}

extension SyntaxTree {
    /// Returns the identifier that a path such as `a.b.c` begins with; `nil` for anything else.
    package func root(ofPath id: NodeID) -> NodeID? {
        var id = unwrapped(id)
        while kind(id) == .member { id = unwrapped(child(id, 0)) }
        return kind(id) == .identifier ? id : nil
    }
}
