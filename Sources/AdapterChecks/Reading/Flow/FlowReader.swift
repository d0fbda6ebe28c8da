import AdapterSyntax

/// Reads one function's ``VariableFlow``: goes through its text in the order in which it runs, and keeps which variables are
/// certainly set by then. A class, since the two closures of a walk cannot both change a value.
final class FlowReader {
    /// What is known at a place.
    struct VariableState {
        var set: Set<String> = []
        /// Whether the place is never reached, as behind `return`.
        var isDead = false

        /// What is known where several ways meet.
        static func join(_ states: [VariableState]) -> VariableState {
            let living = states.filter { !$0.isDead }
            guard var joined = living.first else { return VariableState(set: states.first?.set ?? [], isDead: true) }
            for state in living.dropFirst() { joined.set.formIntersection(state.set) }
            return joined
        }
    }

    let script: ParsedScript
    let tree: SyntaxTree
    private let graph: CallGraph
    private let variables: Set<String>
    private let flows: [Int: VariableFlow]

    var state = VariableState()
    var forks: [BranchState] = []
    /// What the children of forks are, until they are left.
    var parts: [NodeID: BranchState.Part] = [:]
    /// What `break` leaves: a `switch`, by its fork's index, or a loop.
    var breakables: [Int?] = []
    /// The functions inside of the function, as they are being read, with what was known before each.
    private var inner: [(before: VariableState, runsAtOnce: Bool)] = []
    /// What `return` leaves behind.
    private var exits: [VariableState] = []
    private var needs: Set<String> = []
    /// What functions inside need, which mostly run when the one around them has set it, though they stand above.
    private var deferred: Set<String> = []
    /// Identifiers that begin what is called.
    private var callees: Set<NodeID> = []

    init(
        _ script: ParsedScript, _ graph: CallGraph, _ variables: Set<String>, _ flows: [Int: VariableFlow]
    ) {
        self.script = script
        tree = script.tree
        self.graph = graph
        self.variables = variables
        self.flows = flows
    }

    func read(_ function: NodeID) -> VariableFlow {
        tree.walk(
            from: function,
            enter: { id in
                if let part = parts[id] { begin(part) }
                if tree.isFunction(id), id != function { inner.append((state, runsAtOnce: callees.contains(id))) }
                enter(id)
                return true
            },
            leave: { id in
                leave(id)
                if tree.isFunction(id), id != function, let (before, runsAtOnce) = inner.popLast() {
                    if !runsAtOnce { state = before }
                }
                if let part = parts.removeValue(forKey: id) { end(part) }
            })
        exits.append(state)
        let living = exits.filter { !$0.isDead }
        // A function that returns early has found that there is nothing to do.
        let sets = living.last ?? VariableState()
        return VariableFlow(needs: needs.union(deferred.subtracting(sets.set)), sets: sets.set)
    }

    private func enter(_ id: NodeID) {
        switch tree.kind(id) {
        case .identifier: use(id)
        case .prefixUpdate, .postfixUpdate: for name in targets(of: tree.child(id, 0)) { want(name) }
        case .assignment: enterAssignment(id)
        case .call, .new:
            let callee = tree.child(id, 0)
            if let root = tree.root(ofPath: callee) { callees.insert(root) }
            if let written = tree.functionInPlace(callee) { callees.insert(written) }
        default: enterBranch(id)
        }
    }

    private func leave(_ id: NodeID) {
        switch tree.kind(id) {
        case .prefixUpdate, .postfixUpdate: state.set.formUnion(targets(of: tree.child(id, 0)))
        case .assignment:
            leaveBranch(id)
            state.set.formUnion(targets(of: tree.child(id, 0)))
        case .call, .new: leaveCall(id)
        case .returnStatement:
            // One that runs at once goes on behind its end.
            if let last = inner.last, last.runsAtOnce { return }
            if inner.isEmpty { exits.append(state) }
            state.isDead = true
        case .throwStatement, .continueStatement: state.isDead = true
        case .breakStatement:
            if tree.child(id, 0).isAbsent, let index = breakables.last ?? nil { forks[index].results.append(state) }
            state.isDead = true
        default: leaveBranch(id)
        }
    }

    private func enterAssignment(_ id: NodeID) {
        let names = targets(of: tree.child(id, 0))
        switch tree.operation(id) {
        case .assign:
            if let fork = tree.fork(inValue: tree.child(id, 1)) { forkTargets[fork] = names }
        case .andAssign, .orAssign, .coalesceAssign:
            forkTargets[id] = names
            openBranch(id, ways: [tree.child(id, 1)])
            begin(.test)
            for name in names { want(name) }
            end(.test)
        default: for name in names { want(name) }
        }
    }

    /// The variables that are assigned what a fork gives, as in `a = a || b`.
    var forkTargets: [NodeID: Set<String>] = [:]

    /// The variables that a target assigns, or those in a pattern.
    func targets(of id: NodeID) -> Set<String> {
        var names: Set<String> = []
        tree.walk(
            from: id,
            enter: { id in
                if let use = script.names[id], use.isWrite, isVariable(use) { names.insert(use.name) }
                return true
            }, leave: { _ in })
        return names
    }

    func isVariable(_ use: ResolvedNames.Use) -> Bool { use.meaning != .local && variables.contains(use.name) }

    private func use(_ id: NodeID) {
        guard let use = script.names[id], use.meaning != .local, !use.isWrite else { return }
        if isVariable(use) { want(use.name) }
        guard !callees.contains(id) else { return }
        // One that is handed on may be called at once, or never.
        for index in graph.functions(named: use.name) { for name in flows[index]?.needs ?? [] { want(name) } }
    }

    private func leaveCall(_ id: NodeID) {
        guard let path = tree.path(tree.child(id, 0)), let root = tree.root(ofPath: tree.child(id, 0)),
            let use = script.names[root], use.meaning != .local
        else { return }
        let called = graph.functions(atPath: path)
        for index in called { for name in flows[index]?.needs ?? [] { want(name) } }
        if called.count == 1, let flow = flows[called[0]] { state.set.formUnion(flow.sets) }
    }

    /// Notes that a variable's value is used.
    private func want(_ name: String) {
        if !state.isDead, !state.set.contains(name) { need(name) }
    }

    /// Notes that the value is one from before, unless it turns out that this only asks whether there is one.
    func need(_ name: String) {
        if ask(name) { return }
        if inner.contains(where: { !$0.runsAtOnce }) { deferred.insert(name) } else { needs.insert(name) }
    }
}

extension SyntaxTree {
    /// The function that an expression is, without parentheses around it; `nil` for anything else.
    fileprivate func functionInPlace(_ id: NodeID) -> NodeID? {
        let id = withoutParentheses(id)
        return isFunction(id) ? id : nil
    }

    /// The `||`, `??`, `&&` or `?:` that an expression is; `nil` for anything else.
    fileprivate func fork(inValue id: NodeID) -> NodeID? {
        let id = withoutParentheses(id)
        return kind(id) == .conditional || isLogical(id) ? id : nil
    }
}
