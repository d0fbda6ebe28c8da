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
            construct: .conditionalCatch, title: "distinguish the errors with if",
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

    // MARK: let

    func letBlock(_ id: NodeID) -> Fix? {
        let declarators = Array(tree.children(id).dropLast())
        guard let body = tree.children(id).last, let first = declarators.first, let last = declarators.last else {
            return nil
        }
        let declared = Set(declarators.flatMap { tree.names(in: $0).map { tree.name($0) } })
        let used = variables(usedIn: declarators)
        // In one block with the body, the values would find its variables in place of those around.
        guard used.isDisjoint(with: declared), namesDeclared(in: body).isDisjoint(with: used.union(declared)) else {
            return nil
        }
        let head = SourceRange(tree.range(id).start, tree.range(first).start)
        let tail = SourceRange(tree.range(last).end, tree.range(body).start + 1)
        guard !hasComment(head.start, head.end), !hasComment(tail.start, tail.end) else { return nil }
        return Fix(
            construct: .letBlock, title: "declare the variables inside of the block",
            range: SourceRange(head.start, tail.end),
            edits: [TextEdit(head, "{ let "), TextEdit(tail, ";")])
    }

    private func variables(usedIn declarators: [NodeID]) -> Set<String> {
        var result: Set<String> = []
        for declarator in declarators {
            let targets = Set(tree.names(in: declarator))
            tree.walk(
                from: declarator,
                enter: { node in
                    if tree.kind(node) == .identifier, !targets.contains(node), !isKey(node) {
                        result.insert(tree.name(node))
                    }
                    return true
                }, leave: { _ in })
        }
        return result
    }

    /// Returns whether an identifier is the name of a property and not a variable.
    private func isKey(_ identifier: NodeID) -> Bool {
        names.binding(of: identifier) == nil && !free.contains(identifier)
    }

    /// Returns the names that a block declares, or that `var` in it declares for the function around.
    private func namesDeclared(in block: NodeID) -> Set<String> {
        var result: Set<String> = []
        tree.walk(
            from: block,
            enter: { node in
                switch tree.kind(node) {
                case .variableDeclaration: result.formUnion(tree.names(in: node).map { tree.name($0) })
                case .functionDeclaration, .classDeclaration:
                    if !tree.child(node, 0).isAbsent { result.insert(tree.name(tree.child(node, 0))) }
                default: break
                }
                return !tree.isFunction(node)
            }, leave: { _ in })
        return result
    }
}
