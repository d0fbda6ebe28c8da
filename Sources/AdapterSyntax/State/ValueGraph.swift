/// A graph of values: an edge leads from a value to each place that may hold it. The marked nodes are those that a marked one
/// leads to.
struct ValueGraph {
    /// Names a node.
    typealias Node = Int

    /// Never marked: a value made in the running call, a text or a number.
    static let fresh: Node = 0
    /// Always marked: an object of the top level or of the runtime.
    static let shared: Node = 1

    private var targets: [[Node]] = [[], []]

    mutating func makeNode() -> Node {
        targets.append([])
        return targets.count - 1
    }

    mutating func connect(_ source: Node, to target: Node) {
        guard source != Self.fresh, target != Self.shared, source != target else { return }
        precondition(target != Self.fresh, "a fresh value receives no other")
        targets[source].append(target)
    }

    /// A node that is marked if one of these is.
    mutating func join(_ nodes: Node...) -> Node { join(nodes) }

    mutating func join(_ nodes: [Node]) -> Node {
        let nodes = Set(nodes).subtracting([Self.fresh])
        if nodes.contains(Self.shared) { return Self.shared }
        guard nodes.count > 1 else { return nodes.first ?? Self.fresh }
        let joined = makeNode()
        for node in nodes { connect(node, to: joined) }
        return joined
    }

    /// Which nodes ``shared`` leads to, by their number.
    func marks() -> [Bool] {
        var marks = [Bool](repeating: false, count: targets.count)
        marks[Self.shared] = true
        var pending = [Self.shared]
        while let node = pending.popLast() {
            for target in targets[node] where !marks[target] {
                marks[target] = true
                pending.append(target)
            }
        }
        return marks
    }
}
