import Foundation

extension InvocationTrace: CustomStringConvertible {
    /// The tree for users: time, share of the whole, call.
    ///
    ///       14.2 ms 100%  A/getPrices(["x"])
    ///       13.9 ms  98%  └─ fetch("x")  adapters/A/A-impl.js:3:1
    ///       12.3 ms  86%     └─ WL.Server.invokeHttp(get /prices) → 200  adapters/A/A-impl.js:4:30
    public var description: String {
        var lines: [String] = []
        let total = milliseconds
        for node in nodes { draw(node, total, &lines) }
        if omitted > 0 {
            lines.append(
                "\(omitted) more call\(omitted == 1 ? " is" : "s are") not shown: a trace holds "
                    + "\(InvocationTracer.mostNodes), and \(InvocationTracer.mostDepth) inside one another")
        }
        lines += remarks
        return lines.joined(separator: "\n")
    }

    /// The number of drawn calls of one function in a row, and inside one another; the trace itself has them all.
    private static let mostRepeats = 3

    private enum Line {
        case node(Node, ancestors: [String])
        case rest([Node])
    }

    private func draw(_ root: Node, _ total: Double, _ lines: inout [String]) {
        var work: [(line: Line, first: String, others: String)] = [(.node(root, ancestors: []), "", "")]
        while let (line, first, others) = work.popLast() {
            switch line {
            case .node(let node, let ancestors):
                let numbers = Self.numbers(node.milliseconds, total)
                lines.append(numbers + first + node.headline)
                let children = Self.lines(of: node, ancestors: ancestors)
                let margin = String(repeating: " ", count: numbers.count) + others + (children.isEmpty ? "  " : "│ ")
                lines += node.ownStack.map { "\(margin)\($0)" }
                for (index, child) in children.enumerated().reversed() {
                    let isLast = index == children.count - 1
                    work.append((child, others + (isLast ? "└─ " : "├─ "), others + (isLast ? "   " : "│  ")))
                }
            case .rest(let nodes):
                let count = nodes.reduce(0) { $0 + $1.count }
                let time = nodes.reduce(0) { $0 + $1.milliseconds }
                let names = Set(nodes.map(\.name)).count == 1 ? nodes[0].name : "functions"
                lines.append(
                    Self.numbers(time, total) + first + "… \(count) more call\(count == 1 ? "" : "s"), of \(names)")
            }
        }
    }

    private static func numbers(_ milliseconds: Double, _ total: Double) -> String {
        String(format: "%9.1f ms %3.0f%%  ", milliseconds, total > 0 ? milliseconds / total * 100 : 0)
    }

    /// Returns the children as they are drawn: of many calls of the same function the first ones.
    private static func lines(of node: Node, ancestors: [String]) -> [Line] {
        let around = ancestors + (node.kind == .function ? [node.identity] : [])
        var lines: [Line] = []
        var rest: [Node] = []
        var repeats = 0
        var previous: String?
        for child in node.children {
            repeats = child.identity == previous ? repeats + 1 : 0
            previous = child.identity
            let isDeep = around.count { $0 == child.identity } >= mostRepeats
            if child.kind == .function, isDeep || repeats >= mostRepeats {
                rest.append(child)
                continue
            }
            if !rest.isEmpty { lines.append(.rest(rest)) }
            rest = []
            lines.append(.node(child, ancestors: around))
        }
        if !rest.isEmpty { lines.append(.rest(rest)) }
        return lines
    }
}

extension InvocationTrace.Node {
    /// The same for all calls of a function.
    fileprivate var identity: String { "\(name) \(place ?? "")" }

    /// The number of calls in the tree, this one included.
    fileprivate var count: Int {
        var count = 0
        var work = [self]
        while let node = work.popLast() {
            count += 1
            work += node.children
        }
        return count
    }

    /// The call on one line.
    fileprivate var headline: String {
        var line = kind == .loading ? name : "\(name)(\(arguments ?? "…"))"
        if let result { line += " → \(result)" }
        if let exception { line += " ✗ \(exception.split(separator: "\n").first ?? "")" }
        if let place { line += "  \(place)" }
        return line
    }

    /// The stack of the exception that it threw, unless the same exception came from one of its calls and is shown there.
    fileprivate var ownStack: [Substring] {
        guard let exception, !children.contains(where: { $0.exception != nil }) else { return [] }
        return Array(exception.split(separator: "\n").dropFirst())
    }
}
