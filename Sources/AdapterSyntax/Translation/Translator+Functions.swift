extension Translator {
    mutating func translateFunction(_ id: NodeID) {
        let traits = tree.functionTraits(id)
        let body = tree.child(id, 2)
        if tree.kind(id) != .arrowFunction, traits.contains(.expressionBody) {
            find(.expressionClosure, tree.range(id))
            if traits.contains(.plainGenerator) {
                return refuse(.plainGenerator, tree.range(id), "its body must be in braces")
            }
            edits.open(tree.range(body).start, "{return ")
            edits.close(tree.range(body).end, "}")
            return
        }
        if traits.contains(.plainGenerator) { translateGenerator(id, body) }
        if hasNamespace(body) { restoreNamespace(body) }
    }

    /// A function with `yield` returns an iterator of Rhino's, around one of today's.
    private mutating func translateGenerator(_ id: NodeID, _ body: NodeID) {
        find(.plainGenerator, SourceRange(tree.range(id).start, tree.range(body).start))
        guard tree.kind(body) == .functionBody, tree.kind(id) != .arrowFunction else {
            return refuse(.plainGenerator, tree.range(id), "an arrow function cannot yield")
        }
        helpers.insert(.iteration)
        edits.open(tree.range(body).start + 1, "return \(RuntimeHelper.name).generator(function* () {")
        edits.close(tree.range(body).end - 1, "}.apply(this, arguments));")
    }

    // MARK: let

    mutating func translateLetBlock(_ id: NodeID) {
        find(.letBlock, SourceRange(tree.range(id).start, tree.range(id).start + 3))
        let declarators = Array(tree.children(id).dropLast())
        guard let body = tree.children(id).last else { return }
        let start = tree.range(id).start
        guard let first = declarators.first, let last = declarators.last else {
            edits.replace(SourceRange(start, tree.range(body).start), "{")
            edits.close(tree.range(id).end, "}")
            return
        }
        edits.replace(SourceRange(start, tree.range(first).start), "{let ")
        let hidden = namesNeededOutside(declarators)
        var copies: [String] = []
        for declarator in declarators {
            let target = tree.child(declarator, 0)
            let names = tree.names(in: target).map { tree.name($0) }
            guard !hidden.isDisjoint(with: names) else { continue }
            guard tree.kind(target) == .identifier else {
                return refuse(.letBlock, tree.range(declarator), "its values use names that it takes from a pattern")
            }
            edits.open(tree.range(target).start, "\(RuntimeHelper.name)_")
            copies.append("\(names[0]) = \(RuntimeHelper.name)_\(names[0])")
        }
        let inner = copies.isEmpty ? "" : "{let \(copies.joined(separator: ", ")); "
        edits.replace(SourceRange(tree.range(last).end, tree.range(body).start), "; " + inner)
        edits.close(tree.range(id).end, copies.isEmpty ? "}" : "}}")
    }

    /// Returns the names that the values of `let` take from outside though the block declares them again.
    private func namesNeededOutside(_ declarators: [NodeID]) -> Set<String> {
        let declared = Set(declarators.flatMap { tree.names(in: $0).map { tree.name($0) } })
        let used = declarators.flatMap { tree.all(in: tree.child($0, 1)) }.filter { tree.kind($0) == .identifier }
        return declared.intersection(used.map { tree.name($0) })
    }

    /// `let (a = 1) a + 1` becomes `given([1], (a) => (a + 1))`.
    mutating func translateLetExpression(_ id: NodeID) {
        find(.letExpression, SourceRange(tree.range(id).start, tree.range(id).start + 3))
        guard let body = tree.children(id).last else { return }
        guard !tree.contains(id, .yield) else {
            return refuse(.letExpression, tree.range(id), "yield is not allowed in it")
        }
        helpers.insert(.iteration)
        var position = tree.range(id).start
        var pending = "\(RuntimeHelper.name).given(["
        var parameters: [String] = []
        for declarator in tree.children(id).dropLast() {
            guard let target = line(tree.child(declarator, 0)) else {
                return refuse(.letExpression, tree.range(declarator), "the pattern must be on one line")
            }
            parameters.append(target)
            let value = tree.child(declarator, 1)
            if value.isAbsent {
                pending += "void 0, "
            } else {
                edits.replace(SourceRange(position, tree.range(value).start), pending)
                position = tree.range(value).end
                pending = ", "
            }
        }
        edits.replace(
            SourceRange(position, tree.range(body).start), pending + "], (\(parameters.joined(separator: ", "))) => (")
        edits.close(tree.range(body).end, "))")
    }
}
