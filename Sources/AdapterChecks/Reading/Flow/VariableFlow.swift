import AdapterSyntax

/// What a function does with variables of the top level, seen from its caller.
struct VariableFlow: Equatable {
    /// Those whose values from before the call it uses: what it sets where it finds it unset, as in `if (!token) token = login()`,
    /// is not among them.
    var needs: Set<String> = []
    /// Those that are set again when it has returned.
    var sets: Set<String> = []
}

/// The ``VariableFlow`` of each function of a script that is not nested in another one.
struct VariableFlows {
    /// Functions that call each other in a circle take more than one round; this many are enough for any that people write.
    private static let mostRounds = 8

    private var flows: [Int: VariableFlow] = [:]

    init(_ script: ParsedScript, _ graph: CallGraph, of variables: Set<String>) {
        let nodes = Self.nodes(of: script)
        let order = Self.calledFirst(Array(nodes.keys).sorted(), graph)
        for _ in 1...Self.mostRounds {
            let before = flows
            for index in order {
                guard let node = nodes[index] else { continue }
                flows[index] = FlowReader(script, graph, variables, flows).read(node)
            }
            if flows == before { break }
        }
    }

    /// Whether one of these functions uses a value from before it was called, itself or in what it calls.
    func needs(_ variable: String, in functions: [Int]) -> Bool {
        functions.contains { flows[$0]?.needs.contains(variable) ?? false }
    }

    private static func nodes(of script: ParsedScript) -> [Int: NodeID] {
        let functions = script.facts.functions
        let indices = Dictionary(
            functions.indices.filter { functions[$0].outer == nil }.map { (functions[$0].range, $0) }
        ) { first, _ in first }
        var nodes: [Int: NodeID] = [:]
        let tree = script.tree
        tree.walk(
            from: tree.root,
            enter: { id in
                guard tree.isFunction(id) else { return true }
                if let index = indices[tree.range(id)] { nodes[index] = id }
                return false
            }, leave: { _ in })
        return nodes
    }

    /// Each function after those that it calls, as far as they do not call each other.
    private static func calledFirst(_ functions: [Int], _ graph: CallGraph) -> [Int] {
        var order: [Int] = []
        var seen: Set<Int> = []
        var work = functions.reversed().map { (index: $0, isLeaving: false) }
        while let (index, isLeaving) = work.popLast() {
            if isLeaving {
                order.append(index)
            } else if seen.insert(index).inserted {
                work.append((index, true))
                work += graph.next(to: index).sorted().map { ($0, false) }
            }
        }
        return order
    }
}
