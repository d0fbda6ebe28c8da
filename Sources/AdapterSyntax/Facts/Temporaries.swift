extension SyntaxTree {
    /// Returns the variables of the top level that functions assign, and that each function reads only behind an assignment in the same
    /// block. IBM's templates have many of these, as in `path = getPath(x)`. No call can see what an earlier one left in them.
    ///
    /// A function in a function needs its own assignment, since it may be called at any time. A variable that a script reaches
    /// through the global object is not a temporary, nor is one whose name anything else declares.
    ///
    /// - Parameter entryPoints: names by which functions are called from outside: procedures and functions of realms.
    public func temporaries(entryPoints: Set<String>) -> [String] {
        let names = NameTable(self)
        let fixed: [NameTable.BindingKind] = [.function, .const, .class]
        let uses = names.references.filter { use in
            use.binding.map { names.bindings[$0].scope == 0 && !fixed.contains(names.bindings[$0].kind) } ?? true
        }
        let assigned = uses.filter { $0.isWrite && names.scopes[$0.scope].function != 0 }.map(\.name)
        let inner = names.bindings.filter { $0.scope != 0 }.map(\.name)
        var result = Set(assigned).subtracting(
            entryPoints.union(callbackNames).union(membersOfGlobalObject).union(inner))
        guard !result.isEmpty, !usesWholeGlobalObject else { return [] }
        let blocks = AssigningBlocks(self)
        for use in uses where result.contains(use.name) {
            guard !use.isWrite || blocks.readTargets.contains(use.node) else { continue }
            if !blocks.covers(use.node, use.name, in: self) { result.remove(use.name) }
        }
        return result.sorted()
    }

    /// The names in `this.name`, where `this` may be the global object.
    private var membersOfGlobalObject: Set<String> {
        let members = all.filter { kind($0) == .member && kind(child($0, 0)) == .thisExpression }
        return Set(members.map { key(child($0, 1)) })
    }

    /// True if the script uses `globalThis`, or `this` otherwise than in `this.name` that is not called: that may read each variable.
    private var usesWholeGlobalObject: Bool {
        let called = Set(
            all.filter { kind($0) == .call || kind($0) == .taggedTemplate }.map { unwrapped(child($0, 0)) })
        let owners = Set(all.filter { kind($0) == .member && !called.contains($0) }.map { child($0, 0) })
        return all.contains { id in
            switch kind(id) {
            case .thisExpression: !owners.contains(id)
            case .identifier: key(id) == "globalThis"
            default: false
            }
        }
    }

    /// The strings that name a callback: those of properties whose name begins with `on`.
    private var callbackNames: Set<String> {
        let properties = all.filter { kind($0) == .property && kind(child($0, 1)) == .stringLiteral }
        return Set(properties.filter { key(child($0, 0)).hasPrefix("on") }.map { key(child($0, 1)) })
    }
}

/// The ranges of a script in which a variable has certainly been assigned.
private struct AssigningBlocks {
    private struct Assignment: Hashable {
        let function: NodeID
        let name: String
    }

    /// The ranges from the end of an assignment to the end of its block.
    private var covered: [Assignment: [SourceRange]] = [:]
    /// The function, or the member of a class, around each identifier that is in one.
    private var functions: [NodeID: NodeID] = [:]
    /// The targets of assignments such as `+=` and `++`, which read them.
    private(set) var readTargets: Set<NodeID> = []

    init(_ tree: SyntaxTree) {
        var work: [(id: NodeID, function: NodeID?)] = [(tree.root, nil)]
        while let (id, outer) = work.popLast() {
            let isFunction = tree.isFunction(id) || tree.kind(id) == .classMember
            let function = isFunction ? id : outer
            if let function { note(id, function, tree) }
            for child in tree.children(id) where !child.isAbsent { work.append((child, function)) }
        }
    }

    private mutating func note(_ id: NodeID, _ function: NodeID, _ tree: SyntaxTree) {
        let end = tree.range(id).end
        switch tree.kind(id) {
        case .identifier: functions[id] = function
        case .assignment where tree.operation(id) != .assign: readTargets.insert(tree.unwrapped(tree.child(id, 0)))
        case .prefixUpdate, .postfixUpdate: readTargets.insert(tree.unwrapped(tree.child(id, 0)))
        case .functionBody, .block: for statement in tree.children(id) { cover(statement, to: end, function, tree) }
        case .forStatement: cover(tree.child(id, 0), to: end, function, tree)
        case .forInStatement:
            let body = tree.range(tree.child(id, 2))
            cover(tree.unwrapped(tree.child(id, 0)), from: body.start, to: body.end, function, tree)
        default: break
        }
    }

    /// Records the assignments in a statement or an expression that is certainly evaluated.
    private mutating func cover(_ id: NodeID, to end: Int, _ function: NodeID, _ tree: SyntaxTree) {
        guard !id.isAbsent else { return }
        switch tree.kind(id) {
        case .expressionStatement, .parenthesized, .forStatement: cover(tree.child(id, 0), to: end, function, tree)
        case .variableDeclaration: for part in tree.children(id) { cover(tree.child(part, 1), to: end, function, tree) }
        case .sequence: for part in tree.children(id) { cover(part, to: end, function, tree) }
        case .assignment where tree.operation(id) == .assign:
            cover(tree.child(id, 1), to: end, function, tree)
            cover(tree.unwrapped(tree.child(id, 0)), from: tree.range(id).end, to: end, function, tree)
        default: break
        }
    }

    private mutating func cover(
        _ target: NodeID, from start: Int, to end: Int, _ function: NodeID, _ tree: SyntaxTree
    ) {
        guard tree.kind(target) == .identifier, start <= end else { return }
        let assignment = Assignment(function: function, name: tree.name(target))
        covered[assignment, default: []].append(SourceRange(start, end))
    }

    /// Returns whether a variable has been assigned before it is read, or is read while the script is loaded, which no call sees.
    func covers(_ read: NodeID, _ name: String, in tree: SyntaxTree) -> Bool {
        guard let function = functions[read] else { return true }
        let ranges = covered[Assignment(function: function, name: name)] ?? []
        return ranges.contains { $0.contains(tree.range(read)) }
    }
}
