extension Translator {
    /// `catch (e if c) {} catch (f) {}` becomes `catch (e) { if (c) {} else { let f = e; {} }}`.
    mutating func translateTry(_ id: NodeID) {
        let clauses = Array(tree.children(id).dropFirst().dropLast())
        guard clauses.contains(where: { !tree.child($0, 1).isAbsent }) else { return }
        for clause in clauses where !tree.child(clause, 1).isAbsent {
            find(.conditionalCatch, SourceRange(tree.range(clause).start, tree.range(tree.child(clause, 2)).start))
        }
        for clause in clauses where !tree.child(clause, 0).isAbsent {
            guard tree.kind(tree.child(clause, 0)) == .identifier else {
                return refuse(
                    .conditionalCatch, tree.range(clause), "a pattern cannot be caught together with a condition")
            }
        }
        let first = clauses[0]
        let name = tree.text(tree.child(first, 0))
        edits.replace(
            SourceRange(tree.range(tree.child(first, 0)).end, tree.range(tree.child(first, 1)).start), ") { if (")
        var ends = "}"
        for clause in clauses.dropFirst() {
            let parameter = tree.child(clause, 0)
            let condition = tree.child(clause, 1)
            let start = tree.range(clause).start
            var text = "else "
            if !parameter.isAbsent, tree.text(parameter) != name {
                text += "{ let \(tree.text(parameter)) = \(name); "
                ends += "}"
            }
            if condition.isAbsent {
                edits.replace(SourceRange(start, tree.range(tree.child(clause, 2)).start), text)
            } else {
                edits.replace(SourceRange(start, tree.range(condition).start), text + "if (")
            }
        }
        guard let last = clauses.last else { return }
        let rethrow = tree.child(last, 1).isAbsent ? "" : " else throw \(name);"
        edits.close(tree.range(last).end, rethrow + ends)
    }
}
