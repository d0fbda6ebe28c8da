extension FixFinder {
    /// `String.trim(s)` and `Array.forEach(list, f)`
    func generic(_ id: NodeID) -> Fix? {
        let callee = tree.child(id, 0)
        guard tree.kind(callee) == .member, tree.kind(tree.child(callee, 0)) == .identifier,
            free.contains(tree.child(callee, 0)), tree.childCount(id) >= 2
        else { return nil }
        let owner = tree.text(tree.child(callee, 0))
        let name = tree.text(tree.child(callee, 1))
        guard RuntimeHelper.genericNames[owner]?.contains(name) == true, !overriddenBuiltIns.replaces(owner, name),
            !overriddenBuiltIns.replacesMethod(owner, name)
        else { return nil }
        guard owner == "String" else {
            let range = tree.range(callee)
            guard !hasComment(range.start, range.end) else { return nil }
            return Fix(
                construct: .generics, title: "call \(owner).prototype.\(name)", range: range,
                edits: [TextEdit(range, "\(owner).prototype.\(name).call")])
        }
        // The first of what is spread must become a text, too.
        guard tree.kind(tree.child(id, 1)) != .spread else { return nil }
        let first = tree.range(tree.child(id, 1))
        let start = tree.range(id).start
        let next = tree.childCount(id) > 2 ? tree.range(tree.child(id, 2)).start : tree.range(id).end - 1
        guard !hasComment(start, first.start), !hasComment(first.end, next) else { return nil }
        return Fix(
            construct: .generics, title: "call \(name) on the value", range: SourceRange(start, next),
            edits: [
                TextEdit(SourceRange(start, first.start), "String("),
                TextEdit(SourceRange(first.end, next), ").\(name)("),
            ])
    }
}
