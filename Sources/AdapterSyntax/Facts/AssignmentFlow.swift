extension SyntaxTree {
    /// Returns the variables of the top level that functions assign and no function reads before it has assigned them: Java's definite
    /// assignment. IBM's templates have many of these, as in `path = getPath(x)`. No call can see what an earlier one left in them.
    ///
    /// - Parameter entryPoints: names by which functions are called from outside: procedures and functions of realms.
    public func temporaries(entryPoints: Set<String>) -> [String] {
        var flow = AssignmentFlow(self, NameTable(self), outside: entryPoints.union(callbackNames))
        flow.read()
        return flow.temporaries.sorted()
    }
}

/// Follows assignments and reads through each function, from its own beginning: it may be called at any time, also one that another makes.
/// A variable that a script reaches through the global object is not a temporary.
private struct AssignmentFlow {
    private struct State {
        var assigned: Set<String> = []
        /// Whether the place is never reached, as behind `return`.
        var isDead = false

        static func join(_ one: State, _ other: State) -> State {
            if one.isDead { return other }
            if other.isDead { return one }
            return State(assigned: one.assigned.intersection(other.assigned))
        }
    }

    private let tree: SyntaxTree
    private var state = State()
    /// The names of variables that may be temporaries.
    private(set) var temporaries: Set<String>
    /// The identifiers that are such variables, and those of them that read one.
    private var uses: [NodeID: String] = [:]
    private var reads: Set<NodeID> = []

    init(_ tree: SyntaxTree, _ names: NameTable, outside: Set<String>) {
        self.tree = tree
        temporaries = []
        let fixed: [NameTable.BindingKind] = [.function, .const, .class]
        for reference in names.references {
            if let binding = reference.binding {
                guard names.bindings[binding].scope == 0, !fixed.contains(names.bindings[binding].kind) else {
                    continue
                }
            }
            uses[reference.node] = reference.name
            if !reference.isWrite { reads.insert(reference.node) }
            if reference.isWrite, names.scopes[reference.scope].function != 0, !outside.contains(reference.name) {
                temporaries.insert(reference.name)
            }
        }
    }

    mutating func read() {
        guard !temporaries.isEmpty else { return }
        leaveOutMembersOfGlobalObject()
        var work = [tree.root]
        while let id = work.popLast() {
            if tree.isFunction(id) || tree.kind(id) == .classMember {
                visit(id)
            } else {
                work.append(contentsOf: tree.children(id))
            }
        }
    }

    /// `this` may be the global object: `this.name` reads a variable, and any other use may read each.
    private mutating func leaveOutMembersOfGlobalObject() {
        var named: Set<NodeID> = []
        tree.forEach { id in
            guard tree.kind(id) == .member, tree.kind(tree.child(id, 0)) == .thisExpression else { return }
            named.insert(tree.child(id, 0))
            temporaries.remove(tree.key(tree.child(id, 1)))
        }
        tree.forEach { id in
            if tree.kind(id) == .thisExpression, !named.contains(id) { temporaries = [] }
            if tree.kind(id) == .identifier, tree.key(id) == "globalThis" { temporaries = [] }
        }
    }

    private mutating func visitFunction(_ id: NodeID) {
        let before = state
        state = State()
        for parameter in tree.children(tree.child(id, 1)) { visit(parameter) }
        visit(tree.child(id, 2))
        state = before
    }

    private mutating func use(_ id: NodeID) {
        guard let name = uses[id], !state.isDead, !state.assigned.contains(name) else { return }
        temporaries.remove(name)
    }

    private mutating func assign(_ target: NodeID) {
        for identifier in tree.names(in: target) {
            if let name = uses[identifier] { state.assigned.insert(name) }
        }
    }

    /// The targets of an assignment: the expressions in them, and not the names that are assigned.
    private mutating func visitTarget(_ id: NodeID) {
        switch tree.kind(id) {
        case .identifier: break
        case .parenthesized, .restElement, .declarator: visitTarget(tree.child(id, 0))
        case .assignmentPattern:
            visitTarget(tree.child(id, 0))
            let before = state
            visit(tree.child(id, 1))
            state = before
        case .arrayPattern, .objectPattern: for child in tree.children(id) where !child.isAbsent { visitTarget(child) }
        case .propertyPattern:
            if tree.propertyTraits(id).contains(.computed) { visit(tree.child(id, 0)) }
            visitTarget(tree.child(id, 1))
        default: visit(id)
        }
    }

    private mutating func visit(_ id: NodeID) {
        guard !id.isAbsent else { return }
        switch tree.kind(id) {
        case .identifier: if reads.contains(id) { use(id) }
        case .functionDeclaration, .functionExpression, .arrowFunction, .method: visitFunction(id)
        case .classMember:
            // The value of a field is found when an object is made.
            if tree.propertyTraits(id).contains(.computed) { visit(tree.child(id, 0)) }
            let before = state
            state = State()
            visit(tree.child(id, 1))
            state = before
        case .assignment: visitAssignment(id)
        case .assignmentPattern, .arrayPattern, .objectPattern, .restElement: visitTarget(id)
        case .prefixUpdate, .postfixUpdate:
            let target = tree.unwrapped(tree.child(id, 0))
            if tree.kind(target) == .identifier { use(target) } else { visit(target) }
            assign(target)
        case .declarator:
            visit(tree.child(id, 1))
            visitTarget(tree.child(id, 0))
        case .binary: visitBinary(id)
        case .conditional, .ifStatement: visitChoice(id)
        case .returnStatement, .throwStatement:
            visit(tree.child(id, 0))
            state.isDead = true
        case .breakStatement, .continueStatement: state.isDead = true
        case .labeledStatement: visitAtMostOnce(tree.child(id, 1))
        case .whileStatement, .doWhileStatement, .forStatement, .forInStatement: visitLoop(id)
        case .switchStatement: visitSwitch(id)
        case .tryStatement: visitTry(id)
        case .arrayComprehension, .generatorExpression:
            for child in tree.children(id).dropFirst() { visit(child) }
            visitAtMostOnce(tree.child(id, 0))
        case .comprehensionLoop: visit(tree.child(id, 1))
        case .call, .member, .index: visitChain(id)
        default: for child in tree.children(id) { visit(child) }
        }
    }

    /// Visits what may not run to its end: what it assigns does not count afterwards.
    private mutating func visitAtMostOnce(_ id: NodeID) {
        let before = state
        visit(id)
        state = before
    }

    private mutating func visitAssignment(_ id: NodeID) {
        let target = tree.unwrapped(tree.child(id, 0))
        let operation = tree.operation(id)
        visitTarget(target)
        if operation != .assign, tree.kind(target) == .identifier { use(target) }
        if [.andAssign, .orAssign, .coalesceAssign].contains(operation) { return visitAtMostOnce(tree.child(id, 1)) }
        visit(tree.child(id, 1))
        assign(target)
    }

    /// Long sums are nested as deeply to the left as they are long.
    private mutating func visitBinary(_ id: NodeID) {
        var operands: [(node: NodeID, isConditional: Bool)] = []
        var left = id
        while tree.kind(left) == .binary {
            operands.append((tree.child(left, 1), [.and, .or, .coalesce].contains(tree.operation(left))))
            left = tree.child(left, 0)
        }
        visit(left)
        for operand in operands.reversed() {
            if operand.isConditional { visitAtMostOnce(operand.node) } else { visit(operand.node) }
        }
    }

    /// What follows `?.` may not run.
    private mutating func visitChain(_ id: NodeID) {
        visit(tree.child(id, 0))
        let before = state
        for child in tree.children(id).dropFirst() { visit(child) }
        if isOptionalChain(id) { state = before }
    }

    /// Whether `?.` here or further left in the chain may end it.
    private func isOptionalChain(_ id: NodeID) -> Bool {
        switch tree.kind(id) {
        case .call, .member, .index: tree.hasOptionalChain(id) || isOptionalChain(tree.child(id, 0))
        default: false
        }
    }

    private mutating func visitChoice(_ id: NodeID) {
        visit(tree.child(id, 0))
        let before = state
        visit(tree.child(id, 1))
        let then = state
        state = before
        visit(tree.child(id, 2))
        state = State.join(then, state)
    }

    private mutating func visitLoop(_ id: NodeID) {
        switch tree.kind(id) {
        case .whileStatement:
            visit(tree.child(id, 0))
            visitAtMostOnce(tree.child(id, 1))
        case .doWhileStatement:
            // `break` and `continue` leave the body early.
            visitAtMostOnce(tree.child(id, 0))
            visitAtMostOnce(tree.child(id, 1))
        case .forStatement:
            visit(tree.child(id, 0))
            visit(tree.child(id, 1))
            visitAtMostOnce(tree.child(id, 3))
            visitAtMostOnce(tree.child(id, 2))
        default:
            let target = tree.child(id, 0)
            visit(tree.child(id, 1))
            let before = state
            if tree.kind(target) == .variableDeclaration { visit(target) } else { visitTarget(target) }
            assign(target)
            visit(tree.child(id, 2))
            state = before
        }
    }

    private mutating func visitSwitch(_ id: NodeID) {
        visit(tree.child(id, 0))
        let before = state
        for way in tree.children(id).dropFirst() {
            state = before
            for child in tree.children(way) { visit(child) }
        }
        state = before
    }

    private mutating func visitTry(_ id: NodeID) {
        let before = state
        visit(tree.child(id, 0))
        var after = state
        var finally: NodeID?
        for child in tree.children(id).dropFirst() where !child.isAbsent {
            guard tree.kind(child) == .catchClause else {
                finally = child
                continue
            }
            state = before
            visit(tree.child(child, 1))
            visit(tree.child(child, 2))
            after = State.join(after, state)
        }
        state = after
        guard let finally else { return }
        state = before
        visit(finally)
        let gained = state
        state = after
        state.assigned.formUnion(gained.assigned)
        state.isDead = after.isDead || gained.isDead
    }
}

extension SyntaxTree {
    /// The lines on which names of the top level are declared or, where nothing declares them, first assigned.
    public var globalLines: [String: Int] {
        let names = NameTable(self)
        var lines: [String: Int] = [:]
        let declared = names.bindings.filter { $0.scope == 0 }.map { ($0.name, $0.declaration) }
        let assigned = names.free.filter(\.isWrite).map { ($0.name, $0.node) }
        for (name, node) in declared + assigned where lines[name] == nil {
            lines[name] = source.position(at: range(node).start).line
        }
        return lines
    }

    /// The texts that name a callback: those of properties whose name begins with `on`.
    fileprivate var callbackNames: Set<String> {
        var result: Set<String> = []
        forEach { id in
            guard kind(id) == .property, kind(child(id, 1)) == .stringLiteral, key(child(id, 0)).hasPrefix("on") else {
                return
            }
            result.insert(key(child(id, 1)))
        }
        return result
    }

    /// Whether a call or a member access is one with `?.`.
    fileprivate func hasOptionalChain(_ id: NodeID) -> Bool { detail(id) == 1 }
}
