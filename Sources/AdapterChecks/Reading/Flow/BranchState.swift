import AdapterSyntax

/// A place where a script goes one way or another: `if`, `?:`, `||`, a loop, `switch`, `try`.
struct BranchState {
    enum Part {
        case test
        /// One of the ways; a loop sets its variable at the beginning, and a `case` may go on into the next.
        case way(setting: Set<String> = [], goesOn: Bool = false)
        case finally
    }

    let id: NodeID
    /// Whether one of the ways is taken in any case.
    var isComplete: Bool
    /// The variables that the test finds to be there, where the first way is taken.
    let asserted: Set<String>
    /// The variables that become the fork's value.
    let targets: Set<String>
    var isTesting = false
    /// The variables that the test asks for, and whose values are from before.
    var asked: Set<String> = []
    /// Those that are needed unless this is how they are set for the first time.
    var waiting: Set<String> = []
    /// What is known before the ways, and behind each of them.
    var entry: FlowReader.VariableState?
    var results: [FlowReader.VariableState] = []

    /// What a way sets that was asked for and not there, with all else that it sets; `nil` when it is not such a way.
    ///
    /// One that ends the function is one, `if (token) return token`: what follows sets the value where there was none. But one
    /// that takes away what it has found there, `if (news) { news = null; … }`, is how others are listened to.
    func lazilySet(on way: Int, _ entry: FlowReader.VariableState) -> Set<String>? {
        let gained = results[way].set.subtracting(entry.set).union(targets)
        if results[way].isDead { return way == 0 && !gained.isDisjoint(with: asserted) ? nil : [] }
        let missed = way == 0 ? asked.subtracting(asserted) : asked
        return gained.isDisjoint(with: missed) ? nil : gained
    }
}

extension FlowReader {
    func enterBranch(_ id: NodeID) {
        switch tree.kind(id) {
        case .ifStatement, .conditional:
            let test = tree.child(id, 0)
            openBranch(
                id, test: test, ways: [tree.child(id, 1), tree.child(id, 2)], isComplete: !tree.child(id, 2).isAbsent,
                asserted: asserted(by: test))
        case .binary where tree.isLogical(id):
            let test = tree.child(id, 0)
            openBranch(
                id, test: test, ways: [tree.child(id, 1)],
                asserted: tree.operation(id) == .and ? asserted(by: test) : [])
        case .forStatement:
            openBranch(id, ways: [tree.child(id, 2), tree.child(id, 3)])
            breakables.append(nil)
        case .forInStatement:
            openBranch(id, ways: [])
            parts[tree.child(id, 2)] = .way(setting: targets(of: tree.child(id, 0)))
            breakables.append(nil)
        case .whileStatement:
            openBranch(id, ways: [tree.child(id, 1)])
            breakables.append(nil)
        case .doWhileStatement: breakables.append(nil)
        case .switchStatement: enterSwitch(id)
        case .tryStatement: enterTry(id)
        default: break
        }
    }

    private func enterSwitch(_ id: NodeID) {
        let cases = tree.children(id).dropFirst()
        openBranch(id, ways: [], isComplete: cases.contains { tree.child($0, 0).isAbsent })
        for way in cases { parts[way] = .way(goesOn: way != cases.last) }
        breakables.append(forks.count - 1)
    }

    private func enterTry(_ id: NodeID) {
        let catches = tree.children(id).filter { tree.kind($0) == .catchClause }
        openBranch(id, ways: [tree.child(id, 0)] + catches, isComplete: true)
        if let last = tree.children(id).dropFirst().last, !last.isAbsent, tree.kind(last) != .catchClause {
            parts[last] = .finally
        }
    }

    func openBranch(
        _ id: NodeID, test: NodeID? = nil, ways: [NodeID], isComplete: Bool = false, asserted: Set<String> = []
    ) {
        if let test { parts[test] = .test }
        for way in ways where !way.isAbsent { parts[way] = .way() }
        forks.append(
            BranchState(
                id: id, isComplete: isComplete, asserted: asserted,
                targets: forkTargets.removeValue(forKey: id) ?? []))
    }

    func begin(_ part: BranchState.Part) {
        let index = forks.count - 1
        switch part {
        case .test: forks[index].isTesting = true
        case .way(let names, _):
            let entry = forks[index].entry ?? state
            forks[index].entry = entry
            state = entry
            state.set.formUnion(names)
        case .finally: state = VariableState.join(forks[index].results)
        }
    }

    func end(_ part: BranchState.Part) {
        let index = forks.count - 1
        switch part {
        case .test: forks[index].isTesting = false
        case .way(_, let goesOn):
            if !goesOn { forks[index].results.append(state) }
            state = forks[index].entry ?? state
        case .finally: forks[index].results = [state]
        }
    }

    func leaveBranch(_ id: NodeID) {
        switch tree.kind(id) {
        case .forStatement, .forInStatement, .whileStatement, .doWhileStatement, .switchStatement:
            breakables.removeLast()
        default: break
        }
        guard let fork = forks.last, fork.id == id else { return }
        forks.removeLast()
        let entry = fork.entry ?? state
        state = VariableState.join(fork.results + (fork.isComplete ? [] : [entry]))
        let lazy = fork.results.indices.compactMap { fork.lazilySet(on: $0, entry) }
        for names in lazy { state.set.formUnion(names) }
        if lazy.isEmpty { for name in fork.waiting { need(name) } }
    }

    /// Whether a value is only asked for, in a test or where a test has asked for it: then it waits for what the fork is.
    func ask(_ name: String) -> Bool {
        guard let index = forks.lastIndex(where: { $0.isTesting || $0.asked.contains(name) }) else { return false }
        forks[index].waiting.insert(name)
        if forks[index].isTesting { forks[index].asked.insert(name) }
        return true
    }

    /// The variables of which a test says that they have something: `queue`, `queue.length > 0`, `user !== null && …`.
    private func asserted(by test: NodeID) -> Set<String> {
        var names: Set<String> = []
        var pending = [test]
        while let next = pending.popLast() {
            let id = tree.withoutParentheses(next)
            if tree.kind(id) == .binary {
                let right = tree.withoutParentheses(tree.child(id, 1))
                switch tree.operation(id) {
                case .and: pending += [tree.child(id, 0), right]
                case .greater where tree.kind(right) == .numberLiteral: pending.append(tree.child(id, 0))
                case .notEqual, .strictNotEqual:
                    if tree.kind(right) == .nullLiteral || tree.path(right) == "undefined" {
                        pending.append(tree.child(id, 0))
                    }
                default: break
                }
            } else if let root = tree.root(ofPath: id), let use = script.names[root], isVariable(use) {
                names.insert(use.name)
            }
        }
        return names
    }
}
