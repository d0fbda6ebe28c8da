import AdapterSyntax

/// The names that a script defines in other ways than by declaring or assigning them.
struct DefinedNames {
    /// The names assigned as `this.name = …`. They are variables if `this` is the global scope there.
    private(set) var ofThis: Set<String> = []
    /// True if there can be more: by `with`, by `this[name] = …`, or when the script hands its global scope on. `eval` defines nothing:
    /// it is turned off.
    private(set) var areHidden = false

    init(_ tree: SyntaxTree) {
        var depth = 0
        var (names, areHidden) = (ofThis, false)
        tree.walk(
            from: tree.root,
            enter: { id in
                if tree.isFunction(id) { depth += 1 }
                switch tree.kind(id) {
                case .withStatement: areHidden = true
                case .assignment:
                    let target = tree.child(id, 0)
                    if let path = tree.path(target)?.split(separator: "."), path.count == 2, Self.isGlobal(path[0]) {
                        names.insert(String(path[1]))
                    } else if tree.kind(target) == .index, Self.isGlobal(tree.child(target, 0), tree) {
                        areHidden = true
                    }
                    if depth == 0, Self.isGlobal(tree.child(id, 1), tree) { areHidden = true }
                case .declarator:
                    if depth == 0, Self.isGlobal(tree.child(id, 1), tree) { areHidden = true }
                case .call:
                    if depth == 0, tree.children(id).dropFirst().contains(where: { Self.isGlobal($0, tree) }) {
                        areHidden = true
                    }
                default: break
                }
                return true
            }, leave: { id in if tree.isFunction(id) { depth -= 1 } })
        (ofThis, self.areHidden) = (names, areHidden)
    }

    private static func isGlobal(_ name: Substring) -> Bool { name == "this" || name == "globalThis" }

    private static func isGlobal(_ id: NodeID, _ tree: SyntaxTree) -> Bool {
        tree.kind(id) == .thisExpression || (tree.kind(id) == .identifier && tree.name(id) == "globalThis")
    }
}
