/// The values of variables that are passed to calls.
extension FactsReader {
    /// The depth to which variables are followed that hold objects with variables in them.
    private static let deepest = 4

    /// Returns the value of an expression; also of a variable, and of one in an object, unless something else can have changed it.
    func value(of id: NodeID, depth: Int = 0) -> LiteralValue {
        let node = tree.unwrapped(id)
        let value = tree.literalValue(node)
        guard depth < Self.deepest else { return value }
        switch value {
        case .name: return tree.kind(node) == .identifier ? held(by: node, depth) ?? value : value
        case .object(let members) where tree.kind(node) == .objectLiteral:
            return .object(
                zip(members, tree.children(node)).map { member, property in
                    guard isFollowed(member.value), !member.isUnknown else { return member }
                    let value = self.value(of: tree.child(property, 1), depth: depth + 1)
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

    /// Returns the value of a variable that is declared once and never assigned again.
    private func held(by identifier: NodeID, _ depth: Int) -> LiteralValue? {
        guard let binding = names.binding(of: identifier), let constant = constants[binding] else { return nil }
        let value = self.value(of: constant, depth: depth + 1)
        switch value {
        case .string, .number: return value
        // Code with another reference to the object may change it.
        case .array, .object: return names.bindings[binding].references.count == 1 ? value : nil
        default: return nil
        }
    }
}
