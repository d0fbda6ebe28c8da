/// Names a node of one ``SyntaxTree``.
public struct NodeID: Sendable, Hashable {
    let index: UInt32

    /// The id of an absent child.
    public static let absent = NodeID(index: 0)

    public var isAbsent: Bool { index == 0 }
}

/// The parsed tree of a script: every node with its exact position in the source.
///
/// The nodes are in one array and not boxes that own each other, so that a tree of any depth can be walked and released
/// without recursion: a sum of ten thousand terms is ten thousand levels deep.
public struct SyntaxTree: Sendable {
    struct Node {
        var kind: NodeKind
        var detail: UInt8
        var start: UInt32
        var end: UInt32
        var firstChild: UInt32
        var childCount: UInt32
    }

    public let source: SourceText
    var nodes: [Node]
    var childIDs: [NodeID]
    public let root: NodeID

    public func kind(_ id: NodeID) -> NodeKind { nodes[Int(id.index)].kind }

    public func range(_ id: NodeID) -> SourceRange {
        let node = nodes[Int(id.index)]
        return SourceRange(Int(node.start), Int(node.end))
    }

    public func children(_ id: NodeID) -> ArraySlice<NodeID> {
        let node = nodes[Int(id.index)]
        return childIDs[Int(node.firstChild)..<Int(node.firstChild + node.childCount)]
    }

    /// Returns the child at `index`, which must exist, though it may be absent.
    public func child(_ id: NodeID, _ index: Int) -> NodeID {
        childIDs[Int(nodes[Int(id.index)].firstChild) + index]
    }

    public func childCount(_ id: NodeID) -> Int { Int(nodes[Int(id.index)].childCount) }

    func detail(_ id: NodeID) -> UInt8 { nodes[Int(id.index)].detail }

    /// Returns the operator of a unary, binary, assignment or update node.
    public func operation(_ id: NodeID) -> TokenKind { TokenKind(rawValue: detail(id)) ?? .end }

    public func declarationKind(_ id: NodeID) -> DeclarationKind { DeclarationKind(rawValue: detail(id)) ?? .var }

    public func loopKind(_ id: NodeID) -> LoopKind { LoopKind(rawValue: detail(id)) ?? .keys }

    public func functionTraits(_ id: NodeID) -> FunctionTraits { FunctionTraits(rawValue: detail(id)) }

    public func propertyTraits(_ id: NodeID) -> PropertyTraits { PropertyTraits(rawValue: detail(id)) }

    /// Returns the source of a node as it is written.
    public func text(_ id: NodeID) -> String { source.text(in: range(id)) }

    /// Returns the name of an identifier, with its escapes resolved.
    public func name(_ id: NodeID) -> String {
        let text = text(id)
        return text.utf8.contains(UInt8(ascii: "\\")) ? LiteralText.unescaped(text) : text
    }

    /// Returns whether a node is a function of any kind.
    public func isFunction(_ id: NodeID) -> Bool {
        switch kind(id) {
        case .functionDeclaration, .functionExpression, .arrowFunction, .method: true
        default: false
        }
    }

    /// Returns `id` without the parentheses around it.
    public func unwrapped(_ id: NodeID) -> NodeID {
        var id = id
        while kind(id) == .parenthesized { id = child(id, 0) }
        return id
    }
}

extension SyntaxTree {
    /// Walks the tree in source order.
    ///
    /// - Parameters:
    ///   - enter: called before a node's children; the children are left out when it returns false.
    ///   - leave: called after a node's children, also when they were left out.
    public func walk<Failure: Error>(
        from start: NodeID, enter: (NodeID) throws(Failure) -> Bool, leave: (NodeID) throws(Failure) -> Void
    ) throws(Failure) {
        var stack: [(id: NodeID, next: Int)] = []
        if try enter(start) { stack.append((start, 0)) } else { try leave(start) }
        while let top = stack.last {
            if top.next < childCount(top.id) {
                stack[stack.count - 1].next += 1
                let child = child(top.id, top.next)
                guard !child.isAbsent else { continue }
                if try enter(child) { stack.append((child, 0)) } else { try leave(child) }
            } else {
                stack.removeLast()
                try leave(top.id)
            }
        }
    }

    /// Nodes in source order, each before its children.
    public struct Nodes: Sequence, IteratorProtocol {
        fileprivate let tree: SyntaxTree
        fileprivate var stack: [NodeID]

        public mutating func next() -> NodeID? {
            guard let id = stack.popLast() else { return nil }
            for child in tree.children(id).reversed() where !child.isAbsent { stack.append(child) }
            return id
        }
    }

    /// Returns a node and all that is in it; nothing when it is absent.
    public func all(in id: NodeID) -> Nodes { Nodes(tree: self, stack: id.isAbsent ? [] : [id]) }

    public var all: Nodes { all(in: root) }
}
