import AdapterSyntax

/// Where a script asks whether there is something: `if (a.b)`, `typeof a.b`, `a.b || c`, `a.b === undefined`.
enum ExistenceGuards {
    /// The expression that a node asks for; `nil` when it asks for none.
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
