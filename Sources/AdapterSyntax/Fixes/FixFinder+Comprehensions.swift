extension FixFinder {
    func comprehension(_ id: NodeID) -> Fix? {
        let parts = Array(tree.children(id))
        guard parts.count == 3, !hasIterators else { return nil }
        let (body, loop, condition) = (parts[0], parts[1], parts[2])
        let target = tree.child(loop, 0)
        let source = tree.child(loop, 1)
        // In the functions that the parts become there is no yield of the function around.
        guard tree.kind(target) == .identifier, !xml.isXML(source), !tree.contains(id, .yield),
            !tree.contains(id, .await), !hasCommentBetween([body, target, source, condition], of: id),
            !isChanged(source, in: [body, condition]), let list = list(loop, source)
        else { return nil }
        let name = tree.text(target)
        let title: String
        var text = list
        if condition.isAbsent || tree.text(body) == name || (isPlain(body) && isPlain(condition)) {
            title = "use map and filter"
            if !condition.isAbsent { text += ".filter((\(name)) => \(arrowBody(condition)))" }
            if tree.text(body) != name || condition.isAbsent { text += ".map((\(name)) => \(arrowBody(body)))" }
        } else {
            // One item after the other: the condition may depend on what the items before have done.
            title = "use flatMap"
            text += ".flatMap((\(name)) => \(test(condition)) ? [\(tree.text(body))] : [])"
        }
        return Fix(
            construct: .arrayComprehension, title: title, range: tree.range(id),
            edits: [TextEdit(tree.range(id), text)])
    }

    /// Returns the iterable of the comprehension, as a list.
    private func list(_ loop: NodeID, _ source: NodeID) -> String? {
        let (before, after) = orNothing(source)
        let object = before + tree.text(source) + after
        switch tree.loopKind(loop) {
        case .keys: return isBuiltIn("Object", "keys") ? "Object.keys(\(object))" : nil
        case .each: return isBuiltIn("Object", "values") ? "Object.values(\(object))" : nil
        case .values:
            let text = tree.kind(source) == .sequence ? "(\(tree.text(source)))" : tree.text(source)
            return isBuiltIn("Array", "from") ? "Array.from(\(text))" : nil
        }
    }

    private func hasCommentBetween(_ parts: [NodeID], of id: NodeID) -> Bool {
        var position = tree.range(id).start
        for part in parts where !part.isAbsent {
            if hasComment(position, tree.range(part).start) { return true }
            position = tree.range(part).end
        }
        return hasComment(position, tree.range(id).end)
    }

    /// Returns whether the expression's source shows that it has no side effects.
    private func isPlain(_ id: NodeID) -> Bool {
        var result = true
        tree.walk(
            from: id,
            enter: { node in
                switch tree.kind(node) {
                case .call, .new, .taggedTemplate, .assignment, .prefixUpdate, .postfixUpdate, .importCall:
                    result = false
                case .unary where tree.operation(node) == .delete: result = false
                default: break
                }
                return result
            }, leave: { _ in })
        return result
    }

    /// Returns the source of an expression before `?`.
    private func test(_ id: NodeID) -> String {
        switch tree.kind(id) {
        case .assignment, .sequence, .conditional, .arrowFunction, .letExpression: "(\(tree.text(id)))"
        default: arrowBody(id)
        }
    }

    /// Returns the source of an expression behind `=>`: an object or a sequence needs parentheses.
    private func arrowBody(_ id: NodeID) -> String {
        let text = tree.text(id)
        return text.hasPrefix("{") || tree.kind(id) == .sequence ? "(\(text))" : text
    }
}
