/// Finds the ``Fix``es of a script. One that could change what the script does is left out, and so is one that would lose a
/// comment.
struct FixFinder {
    let tree: SyntaxTree
    let names: NameTable
    let xml: XMLNames
    let free: Set<NodeID>
    let overriddenBuiltIns: OverriddenBuiltIns
    /// True if loops may go over an iterator of JavaScript 1.7, which today's functions do not support.
    let hasIterators: Bool
    private let lexer: Lexer
    /// The names that the script declares, anywhere.
    private let declaredNames: Set<String>

    init(_ tree: SyntaxTree) {
        self.tree = tree
        names = NameTable(tree)
        xml = XMLNames(tree, names)
        free = Set(names.free.map(\.node))
        overriddenBuiltIns = OverriddenBuiltIns(tree, names, free: free)
        hasIterators = tree.hasIterators(names)
        lexer = Lexer(tree.source.bytes)
        declaredNames = Set(names.bindings.map(\.name))
    }

    func fixes() -> [Fix] { tree.all.compactMap(fix) }

    private func fix(for id: NodeID) -> Fix? {
        switch tree.kind(id) {
        case .forInStatement: loop(id)
        case .arrayComprehension: comprehension(id)
        case .tryStatement: conditionalCatch(id)
        case .letBlock: letBlock(id)
        case .functionDeclaration, .functionExpression, .method: closure(id)
        case .call: generic(id)
        default: nil
        }
    }

    // MARK: What the parts use

    func token(at offset: Int) -> Token? { lexer.token(at: offset) }

    func text(_ start: Int, _ end: Int) -> String { tree.source.text(in: SourceRange(start, end)) }

    /// Returns whether there is a comment between `start` and `end`, both borders of tokens, with neither a regular expression nor a
    /// template between them. A replacement of that range would lose the comment.
    func hasComment(_ start: Int, _ end: Int) -> Bool {
        var position = start
        while position < end {
            let next = token(at: position)
            let border = min(next?.start ?? end, end)
            if !text(position, border).allSatisfy(\.isWhitespace) { return true }
            position = max(next?.end ?? end, border)
        }
        return false
    }

    /// Returns whether `name` of `owner` is the engine's own wherever the script is.
    func isBuiltIn(_ owner: String, _ name: String) -> Bool {
        !declaredNames.contains(owner) && !overriddenBuiltIns.replaces(owner, name)
    }
}

extension FixFinder {
    /// Returns the fix of `String.trim(s)` and `Array.forEach(list, f)`.
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
        // The first spread element must become a string, too.
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
