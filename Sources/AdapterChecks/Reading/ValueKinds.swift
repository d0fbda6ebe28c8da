import AdapterSyntax

/// The expressions that are certainly strings, responses of back ends, or the headers of these.
///
/// A variable has the kind of its value when it is declared once, with a value, and assigned nowhere.
struct ValueKinds {
    enum Kind {
        case text, response, headers, request
    }

    private let script: ParsedScript
    private var variables: [Int: Kind] = [:]

    init(_ script: ParsedScript) {
        self.script = script
        for constant in script.names.constants { variables[constant.binding] = kind(constant.value) }
    }

    /// Returns the kind that an expression certainly has; `nil` when only running the script shows it.
    func kind(_ id: NodeID) -> Kind? {
        let tree = script.tree
        let id = tree.unwrapped(id)
        switch tree.kind(id) {
        case .stringLiteral, .templateLiteral: return .text
        case .identifier: return script.names[id]?.binding.flatMap { variables[$0] }
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

    /// Returns whether a sum has a string in it. Uses a loop, since a long sum is deeply nested.
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
}
