import AdapterSyntax

/// Finds the functions that may run while a script is loaded: those that are named or written outside of all functions, and
/// what they call. A callback that is handed to `WL.Server` comes later.
struct LoadingFunctions {
    private let script: ParsedScript
    private let graph: CallGraph
    private let indices: [SourceRange: Int]
    private var found: [Int] = []
    /// How deep in calls, and in the arguments of calls of `WL.Server`.
    private var (calls, serverCalls) = (0, 0)

    /// The functions' indices, of those that stand in no other.
    static func indices(in script: ParsedScript, _ graph: CallGraph) -> Set<Int> {
        var finder = LoadingFunctions(script, graph)
        finder.visit(script.tree.root)
        return graph.reach(of: finder.found)
    }

    private init(_ script: ParsedScript, _ graph: CallGraph) {
        self.script = script
        self.graph = graph
        indices = Dictionary(script.facts.functions.indices.map { (script.facts.functions[$0].range, $0) }) {
            first, _ in first
        }
    }

    private enum Step {
        case enter(NodeID)
        case leaveCall(ofServer: Bool)
    }

    private mutating func visit(_ start: NodeID) {
        let tree = script.tree
        var work: [Step] = [.enter(start)]
        while let step = work.popLast() {
            guard case .enter(let id) = step else {
                if case .leaveCall(let isServers) = step {
                    calls -= 1
                    if isServers { serverCalls -= 1 }
                }
                continue
            }
            if tree.isFunction(id) {
                if calls > 0, serverCalls == 0, let index = indices[tree.range(id)] { found.append(index) }
                continue
            }
            var target: NodeID?
            switch tree.kind(id) {
            case .identifier: if serverCalls == 0 { name(id) }
            // Whose member is set does not run.
            case .assignment: if tree.root(ofPath: tree.child(id, 0)) != nil { target = tree.child(id, 0) }
            case .call, .new:
                let callee = tree.child(id, 0)
                let isServers = tree.path(callee)?.contains(/^(WL|MFP)\.Server\./) ?? false
                if let root = tree.root(ofPath: callee) { name(root) }
                calls += 1
                if isServers { serverCalls += 1 }
                work.append(.leaveCall(ofServer: isServers))
            default: break
            }
            for child in tree.children(id).reversed() where !child.isAbsent && child != target {
                work.append(.enter(child))
            }
        }
    }

    private mutating func name(_ id: NodeID) {
        guard let use = script.names[id], use.meaning != .local, !use.isWrite else { return }
        found += graph.functions(named: use.name)
    }
}
