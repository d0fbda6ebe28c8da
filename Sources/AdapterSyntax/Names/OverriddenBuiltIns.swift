/// The functions of `Object`, `Array` and `String` that a script replaces.
struct OverriddenBuiltIns {
    private let tree: SyntaxTree
    private let free: Set<NodeID>
    /// The objects of which any function may be the script's own.
    private var owners: Set<String> = []
    /// `String.trim`, `String.prototype.trim`
    private var paths: Set<String> = []

    private static let known: Set<String> = ["Array", "Object", "String"]

    /// - Parameter free: the identifiers that refer to nothing in the script.
    init(_ tree: SyntaxTree, _ table: NameTable, free: Set<NodeID>) {
        self.tree = tree
        self.free = free
        for reference in table.free where reference.isWrite && Self.known.contains(reference.name) {
            owners.insert(reference.name)
        }
        for id in tree.all {
            switch tree.kind(id) {
            case .assignment: noteAssignment(tree.unwrapped(tree.child(id, 0)))
            case .call: noteCall(id)
            default: break
            }
        }
    }

    /// Returns whether `String.trim` may be the script's own.
    func replaces(_ owner: String, _ name: String) -> Bool {
        owners.contains(owner) || paths.contains("\(owner).\(name)")
    }

    /// Returns whether `String.prototype.trim` may be the script's own.
    func replacesMethod(_ owner: String, _ name: String) -> Bool {
        owners.contains(owner) || paths.contains("\(owner).prototype.\(name)")
    }

    private mutating func noteAssignment(_ target: NodeID) {
        guard tree.kind(target) == .member || tree.kind(target) == .index,
            let (owner, path) = path(of: tree.unwrapped(tree.child(target, 0)))
        else { return }
        let key = tree.unwrapped(tree.child(target, 1))
        if tree.kind(target) == .member || tree.kind(key) == .stringLiteral {
            paths.insert("\(path).\(tree.key(key))")
        } else {
            owners.insert(owner)
        }
    }

    /// `Object.defineProperty(String, …)`, `Object.assign(String.prototype, …)`
    private mutating func noteCall(_ call: NodeID) {
        let callee = tree.unwrapped(tree.child(call, 0))
        guard tree.kind(callee) == .member || tree.kind(callee) == .index,
            isFree(tree.child(callee, 0), ["Object", "Reflect"])
        else { return }
        for argument in tree.children(call).dropFirst() {
            if let (owner, _) = path(of: tree.unwrapped(argument)) { owners.insert(owner) }
        }
    }

    /// `String` and `String.prototype`
    private func path(of id: NodeID) -> (owner: String, path: String)? {
        if isFree(id, Self.known) { return (tree.name(id), tree.name(id)) }
        guard tree.kind(id) == .member, tree.name(tree.child(id, 1)) == "prototype" else { return nil }
        let owner = tree.unwrapped(tree.child(id, 0))
        return isFree(owner, Self.known) ? (tree.name(owner), "\(tree.name(owner)).prototype") : nil
    }

    private func isFree(_ id: NodeID, _ names: Set<String>) -> Bool {
        tree.kind(id) == .identifier && free.contains(id) && names.contains(tree.name(id))
    }
}
