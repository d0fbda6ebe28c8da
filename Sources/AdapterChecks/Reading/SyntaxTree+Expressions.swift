import AdapterSyntax

extension SyntaxTree {
    func withoutParentheses(_ id: NodeID) -> NodeID {
        var id = id
        while kind(id) == .parenthesized { id = child(id, 0) }
        return id
    }

    func isLogical(_ id: NodeID) -> Bool {
        kind(id) == .binary && [.and, .or, .coalesce].contains(operation(id))
    }
}
