/// Finds the ``Fix``es of a script.
struct FixFinder {
    let tree: SyntaxTree
    private let names: NameTable
    private let xml: XMLNames
    private let free: Set<NodeID>
    private let lexer: Lexer

    init(_ tree: SyntaxTree) {
        self.tree = tree
        names = NameTable(tree)
        xml = XMLNames(tree, names)
        free = Set(names.free.map(\.node))
        lexer = Lexer(tree.source.bytes)
    }

    func fixes() -> [Fix] {
        var result: [Fix] = []
        tree.forEach { id in
            if let fix = fix(for: id) { result.append(fix) }
        }
        return result
    }

    private func fix(for id: NodeID) -> Fix? {
        switch tree.kind(id) {
        case .forInStatement: loop(id)
        case .tryStatement: conditionalCatch(id)
        case .functionDeclaration, .functionExpression, .method: closure(id)
        case .letBlock: letBlock(id)
        case .arrayComprehension: comprehension(id)
        case .call: generic(id)
        default: nil
        }
    }

    private func token(at offset: Int) -> Token? {
        var lexer = lexer
        lexer.position = offset
        return try? lexer.next()
    }

    private func text(_ start: Int, _ end: Int) -> String { tree.source.text(in: SourceRange(start, end)) }

    // MARK: Loops

    private func loop(_ id: NodeID) -> Fix? {
        let target = tree.range(tree.child(id, 0))
        let object = tree.child(id, 1)
        let objectRange = tree.range(object)
        guard !xml.isXML(object), tree.kind(object) != .sequence, let word = token(at: target.end) else { return nil }
        var edits: [TextEdit] = []
        let construct: RhinoConstruct
        let function: String
        switch tree.loopKind(id) {
        case .each:
            guard let each = token(at: tree.range(id).start + 3), let bracket = token(at: each.end) else { return nil }
            // A comment between the two would be lost.
            guard text(each.end, bracket.start).allSatisfy(\.isWhitespace) else { return nil }
            edits.append(TextEdit(SourceRange(each.start, bracket.start), ""))
            construct = .forEach
            function = "Object.values"
        case .keys where isPair(tree.child(id, 0)):
            construct = .pairLoop
            function = "Object.entries"
        default: return nil
        }
        edits.append(TextEdit(word.range, "of"))
        guard !hasOwnObject else { return nil }
        let (before, after) = orNothing(object)
        edits.append(TextEdit(SourceRange(objectRange.start, objectRange.start), "\(function)(\(before)"))
        edits.append(TextEdit(SourceRange(objectRange.end, objectRange.end), "\(after))"))
        return Fix(
            construct: construct, title: "write for-of over \(function)",
            range: SourceRange(tree.range(id).start, objectRange.end), edits: edits)
    }

    /// What stands around an object over which Rhino's loops went, in which they went over nothing when it was null or
    /// undefined.
    private func orNothing(_ object: NodeID) -> (before: String, after: String) {
        switch tree.kind(object) {
        case .objectLiteral, .arrayLiteral: ("", "")
        case .identifier, .thisExpression, .member, .index, .call: ("", " ?? {}")
        default: ("(", ") ?? {}")
        }
    }

    /// Whether the script has a variable `Object` of its own, somewhere.
    private var hasOwnObject: Bool { names.bindings.contains { $0.name == "Object" } }

    private func isPair(_ target: NodeID) -> Bool {
        let pattern = tree.kind(target) == .variableDeclaration ? tree.child(tree.child(target, 0), 0) : target
        return tree.kind(pattern) == .arrayPattern && tree.childCount(pattern) == 2
    }

    private func comprehension(_ id: NodeID) -> Fix? {
        let parts = Array(tree.children(id))
        guard parts.count == 3 else { return nil }
        let target = tree.child(parts[1], 0)
        let source = tree.child(parts[1], 1)
        guard tree.kind(target) == .identifier, !xml.isXML(source), !hasOwnObject else { return nil }
        let name = tree.text(target)
        let (before, after) = orNothing(source)
        let object = before + tree.text(source) + after
        var list =
            switch tree.loopKind(parts[1]) {
            case .keys: "Object.keys(\(object))"
            case .each: "Object.values(\(object))"
            case .values: "Array.from(\(tree.text(source)))"
            }
        if !parts[2].isAbsent { list += ".filter((\(name)) => \(arrowBody(parts[2])))" }
        if tree.text(parts[0]) != name || parts[2].isAbsent { list += ".map((\(name)) => \(arrowBody(parts[0])))" }
        return Fix(
            construct: .arrayComprehension, title: "use map and filter", range: tree.range(id),
            edits: [TextEdit(tree.range(id), list)])
    }

    /// An expression behind `=>`: an object or a sequence needs parentheses.
    private func arrowBody(_ id: NodeID) -> String {
        let text = tree.text(id)
        return text.hasPrefix("{") || tree.kind(id) == .sequence ? "(\(text))" : text
    }

    // MARK: Statements and functions

    private func conditionalCatch(_ id: NodeID) -> Fix? {
        let clauses = Array(tree.children(id).dropFirst().dropLast())
        let first = clauses.first { !tree.child($0, 1).isAbsent }
        guard first != nil, let last = clauses.last, first == clauses.first else { return nil }
        let parameters = Set(clauses.map { tree.child($0, 0) }.filter { !$0.isAbsent }.map { tree.text($0) })
        guard parameters.count == 1, let name = parameters.first, tree.kind(tree.child(clauses[0], 0)) == .identifier
        else { return nil }
        var edits: [TextEdit] = []
        for (index, clause) in clauses.enumerated() {
            let condition = tree.child(clause, 1)
            let block = tree.range(tree.child(clause, 2)).start
            let range = tree.range(clause)
            if condition.isAbsent {
                edits.append(TextEdit(SourceRange(range.start, block), "else "))
            } else if index == 0 {
                edits.append(TextEdit(SourceRange(range.start, tree.range(condition).start), "catch (\(name)) { if ("))
            } else {
                edits.append(TextEdit(SourceRange(range.start, tree.range(condition).start), "else if ("))
            }
        }
        let end = tree.range(last).end
        let rethrow = tree.child(last, 1).isAbsent ? "" : " else { throw \(name); }"
        edits.append(TextEdit(SourceRange(end, end), rethrow + " }"))
        return Fix(
            construct: .conditionalCatch, title: "tell the errors apart with if",
            range: SourceRange(tree.range(clauses[0]).start, end), edits: edits)
    }

    private func closure(_ id: NodeID) -> Fix? {
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

    private func letBlock(_ id: NodeID) -> Fix? {
        let declarators = tree.children(id).dropLast()
        guard let body = tree.children(id).last, let first = declarators.first, let last = declarators.last else {
            return nil
        }
        let declared = Set(declarators.flatMap { tree.names(in: $0).map { tree.name($0) } })
        var clashes = false
        for declarator in declarators where !tree.child(declarator, 1).isAbsent {
            tree.walk(
                from: tree.child(declarator, 1),
                enter: { node in
                    if tree.kind(node) == .identifier, declared.contains(tree.name(node)) { clashes = true }
                    return true
                }, leave: { _ in })
        }
        guard !clashes else { return nil }
        let block = tree.range(body)
        let head = text(tree.range(first).start, tree.range(last).end)
        return Fix(
            construct: .letBlock, title: "declare the variables inside of the block",
            range: SourceRange(tree.range(id).start, block.start + 1),
            edits: [TextEdit(SourceRange(tree.range(id).start, block.start + 1), "{ let \(head);")])
    }

    // MARK: Calls

    private func generic(_ id: NodeID) -> Fix? {
        let callee = tree.child(id, 0)
        guard tree.kind(callee) == .member, tree.kind(tree.child(callee, 0)) == .identifier,
            free.contains(tree.child(callee, 0)), tree.childCount(id) >= 2
        else { return nil }
        let owner = tree.text(tree.child(callee, 0))
        let name = tree.text(tree.child(callee, 1))
        guard RuntimeHelper.genericNames[owner]?.contains(name) == true else { return nil }
        let first = tree.range(tree.child(id, 1))
        guard owner == "String", tree.kind(tree.child(id, 1)) != .spread else {
            return Fix(
                construct: .generics, title: "call \(owner).prototype.\(name)", range: tree.range(callee),
                edits: [TextEdit(tree.range(callee), "\(owner).prototype.\(name).call")])
        }
        let next = tree.childCount(id) > 2 ? tree.range(tree.child(id, 2)).start : tree.range(id).end - 1
        return Fix(
            construct: .generics, title: "call \(name) on the value",
            range: SourceRange(tree.range(id).start, next),
            edits: [
                TextEdit(SourceRange(tree.range(id).start, first.start), "String("),
                TextEdit(SourceRange(first.end, next), ").\(name)("),
            ])
    }
}
