import AdapterSyntax

/// Which expressions are certainly texts, responses of back ends, or the headers of these.
///
/// A variable is what everything is that the script assigns to any variable of that name; parameters are nothing that is known.
struct ValueKinds {
    enum Kind {
        case text, response, headers, request
    }

    private let script: ParsedScript
    private var variables: [String: Kind] = [:]

    init(_ script: ParsedScript) {
        self.script = script
        let (values, unknown) = Self.values(in: script.tree)
        // A variable may be made of another that is known only in the next round; more than some rounds nobody writes.
        for _ in 1...4 {
            let before = variables
            for (name, nodes) in values where !unknown.contains(name) {
                let kinds = nodes.map { kind($0) }
                if let first = kinds.first, first != nil, kinds.allSatisfy({ $0 == first }) { variables[name] = first }
            }
            if variables == before { break }
        }
    }

    /// What an expression certainly is; `nil` when only running tells.
    func kind(_ id: NodeID) -> Kind? {
        let tree = script.tree
        let id = tree.unwrapped(id)
        switch tree.kind(id) {
        case .stringLiteral, .templateLiteral: return .text
        case .identifier: return script.names[id]?.meaning == .free ? nil : variables[tree.name(id)]
        case .binary where tree.operation(id) == .plus: return isJoined(id) ? .text : nil
        case .binary where tree.isLogical(id): return same(tree.child(id, 0), tree.child(id, 1))
        case .conditional: return same(tree.child(id, 1), tree.child(id, 2))
        case .member, .index:
            let object = kind(tree.child(id, 0))
            if object == .headers { return .text }
            let name = tree.kind(id) == .member ? tree.name(tree.child(id, 1)) : nil
            return object == .response && name == "responseHeaders" ? .headers : nil
        case .call: return kind(ofCall: id)
        default: return nil
        }
    }

    private func same(_ one: NodeID, _ other: NodeID) -> Kind? {
        guard let first = kind(one), kind(other) == first else { return nil }
        return first
    }

    /// Whether a sum has a text in it; a long one is deep, so it is gone down in a loop.
    private func isJoined(_ id: NodeID) -> Bool {
        let tree = script.tree
        var id = id
        while tree.kind(id) == .binary, tree.operation(id) == .plus {
            if kind(tree.child(id, 1)) == .text { return true }
            id = tree.unwrapped(tree.child(id, 0))
        }
        return kind(id) == .text
    }

    private static let ofTexts: Set = [
        "charAt", "concat", "replace", "slice", "substr", "substring", "toLowerCase", "toUpperCase", "trim",
    ]

    private func kind(ofCall id: NodeID) -> Kind? {
        let tree = script.tree
        let callee = tree.unwrapped(tree.child(id, 0))
        if let path = tree.path(callee), script.isRuntimeName(callee) {
            switch path {
            case "String", "JSON.stringify": return .text
            case "WL.Server.invokeHttp", "MFP.Server.invokeHttp": return .response
            case "WL.Server.getClientRequest", "MFP.Server.getClientRequest": return .request
            default: break
            }
        }
        guard tree.kind(callee) == .member else { return nil }
        let name = tree.name(tree.child(callee, 1))
        switch kind(tree.child(callee, 0)) {
        case .text: return Self.ofTexts.contains(name) || name == "toString" ? .text : nil
        case .request: return ["getHeader", "getParameter"].contains(name) ? .text : nil
        default: return nil
        }
    }

    /// What is assigned to each name, and the names that get something else.
    private static func values(in tree: SyntaxTree) -> (values: [String: [NodeID]], unknown: Set<String>) {
        var values: [String: [NodeID]] = [:]
        var unknown: Set<String> = []
        func note(_ target: NodeID, _ value: NodeID) {
            let target = tree.unwrapped(target)
            if tree.kind(target) == .identifier {
                values[tree.name(target), default: []].append(value)
            } else if tree.path(target) == nil, tree.kind(target) != .index {
                unknown.formUnion(names(in: target, tree))
            }
        }
        for id in tree.all {
            switch tree.kind(id) {
            case .declarator:
                if !tree.child(id, 1).isAbsent {
                    note(tree.child(id, 0), tree.child(id, 1))
                } else if tree.kind(tree.child(id, 0)) != .identifier {
                    unknown.formUnion(names(in: id, tree))
                }
            case .assignment where tree.operation(id) == .assign: note(tree.child(id, 0), tree.child(id, 1))
            case .assignment, .prefixUpdate, .postfixUpdate:
                let target = tree.unwrapped(tree.child(id, 0))
                // What is added to a text makes a text.
                let isSum = tree.kind(id) == .assignment && tree.operation(id) == .plusAssign
                if tree.kind(target) == .identifier, !isSum { unknown.insert(tree.name(target)) }
            case .functionDeclaration, .functionExpression, .arrowFunction, .method:
                if !tree.child(id, 0).isAbsent { unknown.formUnion(names(in: tree.child(id, 0), tree)) }
                unknown.formUnion(names(in: tree.child(id, 1), tree))
            case .catchClause, .forInStatement, .comprehensionLoop:
                unknown.formUnion(names(in: tree.child(id, 0), tree))
            case .classDeclaration: unknown.formUnion(names(in: tree.child(id, 0), tree))
            default: break
            }
        }
        return (values, unknown)
    }

    /// All names that stand in a piece of the tree.
    private static func names(in id: NodeID, _ tree: SyntaxTree) -> Set<String> {
        Set(tree.all(in: id).filter { tree.kind($0) == .identifier }.map { tree.name($0) })
    }
}
