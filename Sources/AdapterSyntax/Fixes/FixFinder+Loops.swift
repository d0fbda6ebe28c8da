extension FixFinder {
    func loop(_ id: NodeID) -> Fix? {
        let target = tree.child(id, 0)
        let object = tree.child(id, 1)
        let objectRange = tree.range(object)
        guard !hasIterators, !xml.isXML(object), tree.kind(object) != .sequence, tree.loopInitializer(target) == nil,
            !isChanged(object, in: [tree.child(id, 2)]), let word = token(at: tree.range(target).end)
        else { return nil }
        var edits: [TextEdit] = []
        let construct: RhinoConstruct
        let function: String
        switch tree.loopKind(id) {
        case .each:
            guard let each = token(at: tree.range(id).start + 3), let bracket = token(at: each.end),
                !hasComment(each.start, bracket.start)
            else { return nil }
            edits.append(TextEdit(SourceRange(each.start, bracket.start), ""))
            construct = .forEach
            function = "values"
        case .keys where tree.isPair(target):
            construct = .pairLoop
            function = "entries"
        default: return nil
        }
        guard isBuiltIn("Object", function) else { return nil }
        edits.append(TextEdit(word.range, "of"))
        let (before, after) = orNothing(object)
        edits.append(
            TextEdit(SourceRange(objectRange.start, objectRange.start), "Object.\(function)(\(before)"))
        edits.append(TextEdit(SourceRange(objectRange.end, objectRange.end), "\(after))"))
        return Fix(
            construct: construct, title: "write for-of over Object.\(function)",
            range: SourceRange(tree.range(id).start, objectRange.end), edits: edits)
    }

    /// Returns the code to put around the object of a loop. Rhino's loops did nothing when it was null or undefined.
    func orNothing(_ object: NodeID) -> (before: String, after: String) {
        switch tree.kind(object) {
        case .objectLiteral, .arrayLiteral: ("", "")
        case .identifier, .thisExpression, .member, .index, .call: ("", " ?? {}")
        default: ("(", ") ?? {}")
        }
    }

    /// Returns whether the source of these parts shows that they change the object of the loop. Rhino's loop sees such changes; values that
    /// are read at its beginning do not have them.
    func isChanged(_ object: NodeID, in parts: [NodeID]) -> Bool {
        let text = tree.text(tree.unwrapped(object))
        return parts.flatMap { tree.all(in: $0) }.compactMap(tree.objectChanged).contains { tree.text($0) == text }
    }
}
