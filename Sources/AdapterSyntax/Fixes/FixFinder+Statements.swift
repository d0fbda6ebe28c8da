extension FixFinder {
    func conditionalCatch(_ id: NodeID) -> Fix? {
        let clauses = Array(tree.children(id).dropFirst().dropLast())
        guard let first = clauses.first, let last = clauses.last, !tree.child(first, 1).isAbsent else { return nil }
        let parameters = Set(clauses.map { tree.child($0, 0) }.filter { !$0.isAbsent }.map { tree.text($0) })
        guard parameters.count == 1, let name = parameters.first, tree.kind(tree.child(first, 0)) == .identifier
        else { return nil }
        var edits: [TextEdit] = []
        for clause in clauses {
            let condition = tree.child(clause, 1)
            let start = tree.range(clause).start
            let end = tree.range(condition.isAbsent ? tree.child(clause, 2) : condition).start
            guard !hasComment(start, end) else { return nil }
            let head = clause == first ? "catch (\(name)) { if (" : condition.isAbsent ? "else " : "else if ("
            edits.append(TextEdit(SourceRange(start, end), head))
        }
        let end = tree.range(last).end
        let rethrow = tree.child(last, 1).isAbsent ? "" : " else { throw \(name); }"
        edits.append(TextEdit(SourceRange(end, end), rethrow + " }"))
        return Fix(
            construct: .conditionalCatch, title: "tell the errors apart with if",
            range: SourceRange(tree.range(first).start, end), edits: edits)
    }

    func closure(_ id: NodeID) -> Fix? {
        let traits = tree.functionTraits(id)
        guard traits.contains(.expressionBody), !traits.contains(.plainGenerator) else { return nil }
        let body = tree.range(tree.child(id, 2))
        return Fix(
            construct: .expressionClosure, title: "write the body in braces with return", range: tree.range(id),
            edits: [
                TextEdit(SourceRange(body.start, body.start), "{ return "),
                TextEdit(SourceRange(body.end, body.end), "; }"),
            ])
    }
}
