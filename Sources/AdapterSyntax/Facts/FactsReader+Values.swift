/// What variables hold that calls are given.
extension FactsReader {
    struct DeclaredName: Hashable {
        /// Index of the function; `nil` for the top level.
        let function: Int?
        let name: String
    }

    /// How far variables are followed that hold objects with variables in them.
    private static let deepest = 4

    /// What an expression says at the place of a call; also a variable, and one in an object, as far as nothing else can have
    /// changed what it holds.
    func value(of id: NodeID, at call: SourceRange, depth: Int = 0) -> LiteralValue {
        let node = tree.unwrapped(id)
        let value = tree.literalValue(node)
        guard depth < Self.deepest else { return value }
        switch value {
        case .name: return tree.kind(node) == .identifier ? held(by: node, at: call, depth) ?? value : value
        case .object(let members) where tree.kind(node) == .objectLiteral:
            return .object(
                zip(members, tree.children(node)).map { member, property in
                    guard isFollowed(member.value), !member.isUnknown else { return member }
                    let value = self.value(of: tree.child(property, 1), at: call, depth: depth + 1)
                    return LiteralValue.Member(key: member.key, value: value, range: member.range)
                })
        default: return value
        }
    }

    private func isFollowed(_ value: LiteralValue) -> Bool {
        switch value {
        case .name, .object: true
        default: false
        }
    }

    /// The value of a variable that is declared once and never assigned again.
    private func held(by identifier: NodeID, at call: SourceRange, _ depth: Int) -> LiteralValue? {
        guard let binding = referenceByNode[identifier]?.binding.map({ names.bindings[$0] }),
            binding.kind != .parameter
        else { return nil }
        let declared = DeclaredName(function: function(of: binding.scope), name: binding.name)
        guard let initializer = initializers[declared], initializer.count == 1, !initializer[0].isAbsent,
            !binding.references.contains(where: { names.references[$0].isWrite })
        else { return nil }
        let value = self.value(of: initializer[0], at: call, depth: depth + 1)
        switch value {
        case .string, .number: return value
        // Whoever else has it may change it.
        case .array: return binding.references.count == 1 ? value : nil
        case .object(let members): return object(members, of: binding, givenAs: identifier, at: call, depth)
        default: return nil
        }
    }

    /// An object with what is assigned to its properties; `nil` when somebody else may have it.
    private func object(
        _ members: [LiteralValue.Member], of binding: NameTable.Binding, givenAs identifier: NodeID,
        at call: SourceRange, _ depth: Int
    ) -> LiteralValue? {
        var members = members
        for index in binding.references {
            let node = names.references[index].node
            // Here the call gets it.
            guard node != identifier else { continue }
            switch objectUses[node] {
            case .handedOver?: break
            case .member(let key)? where !changed.contains(node):
                // What it holds there is known elsewhere as well, by whoever reads it.
                for index in members.indices where members[index].key == key {
                    guard case .object = members[index].value else { continue }
                    members[index] = .init(
                        key: key, value: .other(members[index].range), range: members[index].range)
                }
            case .assigned(let key, let expression)?:
                let range = tree.range(expression)
                let isKnown = range.end <= call.start && !members.contains { $0.key == key }
                let value = isKnown ? self.value(of: expression, at: call, depth: depth + 1) : .other(range)
                members.removeAll { $0.key == key }
                members.append(LiteralValue.Member(key: key, value: value, range: range))
            default: return nil
            }
        }
        return .object(members)
    }
}

/// What a script does with the objects that its variables hold, by the identifier.
struct ObjectUses {
    enum Use {
        /// A property is read: `input.path`.
        case member(String)
        /// A property is assigned: `input.path = value`.
        case assigned(String, NodeID)
        /// It is given to a function of `WL.Server` or `WL.Logger`, which does not change it.
        case handedOver
        /// A function of its own is called, which may change it: `input.fill()`.
        case called
    }

    private var uses: [NodeID: Use] = [:]

    subscript(_ identifier: NodeID) -> Use? { uses[identifier] }

    /// Outer nodes come before those in them.
    mutating func note(_ id: NodeID, in tree: SyntaxTree) {
        switch tree.kind(id) {
        case .assignment where tree.operation(id) == .assign:
            guard let (object, key) = property(tree.unwrapped(tree.child(id, 0)), in: tree) else { return }
            uses[object] = .assigned(key, tree.child(id, 1))
        case .member, .index:
            guard let (object, key) = property(id, in: tree), uses[object] == nil else { return }
            uses[object] = .member(key)
        case .call:
            let callee = tree.unwrapped(tree.child(id, 0))
            if let (object, _) = property(callee, in: tree) { uses[object] = .called }
            let path = tree.path(callee)?.split(separator: ".") ?? []
            guard path == ["JSON", "stringify"] || (path.count == 3 && Self.owners.contains(path[0] + "." + path[1]))
            else { return }
            for argument in tree.children(id).dropFirst() {
                let argument = tree.unwrapped(argument)
                if tree.kind(argument) == .identifier { uses[argument] = .handedOver }
            }
        default: break
        }
    }

    private static let owners: Set<Substring> = ["WL.Server", "MFP.Server", "WL.Logger", "MFP.Logger"]

    private func property(_ id: NodeID, in tree: SyntaxTree) -> (object: NodeID, key: String)? {
        guard tree.kind(id) == .member || tree.kind(id) == .index else { return nil }
        let object = tree.unwrapped(tree.child(id, 0))
        let key = tree.unwrapped(tree.child(id, 1))
        guard tree.kind(object) == .identifier else { return nil }
        if tree.kind(id) == .member { return tree.kind(key) == .identifier ? (object, tree.name(key)) : nil }
        return tree.kind(key) == .stringLiteral ? (object, tree.key(key)) : nil
    }
}
