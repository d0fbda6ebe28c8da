/// Checks that every read of a temporary follows an assignment in the same function: Java's definite assignment. A function
/// expression begins with what is assigned where it is made.
struct AssignmentFlow {
    private typealias Variable = StateReader.Variable

    private struct State {
        var assigned: Set<Variable> = []
        /// Whether the place is never reached, as behind `return`.
        var isDead = false

        static func join(_ one: State, _ other: State) -> State {
            if one.isDead { return other }
            if other.isDead { return one }
            return State(assigned: one.assigned.intersection(other.assigned))
        }
    }

    private let reader: StateReader
    private let tree: SyntaxTree
    private var state = State()
    private var function = "a function"
    private(set) var concerns: [StateReader.Concern] = []

    init(_ reader: StateReader) {
        self.reader = reader
        tree = reader.tree
    }

    mutating func read() {
        guard !reader.temporaries.isEmpty else { return }
        for function in reader.functions.dropFirst() where function.outer == 0 { visitFunction(function.node, State()) }
        for variable in reader.temporaries where reader.isNamedOutside(variable) {
            note(
                reader.firstAssignment(of: variable) ?? tree.root, variable,
                "a function assigns '\(reader.name(variable))', which is called by name")
        }
    }

    private mutating func note(_ node: NodeID, _ variable: Variable, _ description: String) {
        concerns.append(
            StateReader.Concern(
                conditions: [ValueGraph.shared], node: node, variable: reader.name(variable), description: description))
    }

    private mutating func visitFunction(_ id: NodeID, _ entry: State) {
        let (before, name) = (state, function)
        state = entry
        if tree.kind(id) != .arrowFunction, !tree.child(id, 0).isAbsent, tree.kind(tree.child(id, 0)) == .identifier {
            function = "\(tree.name(tree.child(id, 0)))()"
        }
        for parameter in tree.children(tree.child(id, 1)) { visit(parameter) }
        visit(tree.child(id, 2))
        (state, function) = (before, name)
    }

    private mutating func use(_ id: NodeID) {
        let variable = reader.variable(id)
        guard reader.temporaries.contains(variable), !state.isDead, !state.assigned.contains(variable) else { return }
        note(id, variable, "\(function) reads '\(reader.name(variable))', which an earlier call may have set")
    }

    private mutating func assign(_ target: NodeID) {
        for name in tree.names(in: target) {
            let variable = reader.variable(name)
            if reader.temporaries.contains(variable) { state.assigned.insert(variable) }
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
        case .identifier: if reader.isRead(id) { use(id) }
        case .functionDeclaration: visitFunction(id, State())
        case .functionExpression, .arrowFunction, .method: visitFunction(id, state)
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
        if tree.hasOptionalChain(id) { state = before }
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

extension StateReader {
    /// Whether an identifier reads a variable, rather than assigning or naming it.
    func isRead(_ id: NodeID) -> Bool { readNodes.contains(id) }

    /// Whether the runtime looks a variable up by its name: a procedure or a callback.
    func isNamedOutside(_ variable: Variable) -> Bool {
        if case .declared(let index) = variable, names.bindings[index].kind == .function { return true }
        return entryPoints.union(tree.callbackNames).contains(name(variable))
    }

    /// The first place where a function assigns a variable.
    func firstAssignment(of variable: Variable) -> NodeID? {
        names.references.first {
            $0.isWrite && names.scopes[$0.scope].function != 0 && self.variable($0.node) == variable
        }?.node
    }
}

extension SyntaxTree {
    /// Whether a call or a member access is one with `?.`.
    fileprivate func hasOptionalChain(_ id: NodeID) -> Bool { detail(id) == 1 }
}
