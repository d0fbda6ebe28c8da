/// A value as a script writes it down, as far as it can be told without running the script.
public indirect enum LiteralValue: Sendable, Hashable {
    case string(String)
    case number(Double)
    case bool(Bool)
    case null
    case array([LiteralValue])
    case object([Member])
    /// A variable or a property of one: `onPoll`, `config.name`.
    case name(String)
    /// A function, written in place; the place tells which of ``ScriptFacts/functions`` it is.
    case function(SourceRange)
    /// Something that only running tells.
    case other(SourceRange)

    /// A property of an object literal.
    public struct Member: Sendable, Hashable {
        public let key: String
        public let value: LiteralValue
        /// Where key and value stand.
        public let range: SourceRange
    }

    /// The value of an object's property; the last one counts when there are several.
    public subscript(key: String) -> LiteralValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// The text of a string; `nil` for anything else.
    public var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    /// The name of the function that is meant: Worklight takes callbacks as functions and by name.
    public var functionName: String? {
        switch self {
        case .string(let name), .name(let name): name
        default: nil
        }
    }
}

extension SyntaxTree {
    /// What an expression says, read no deeper than literals go.
    func literalValue(_ id: NodeID) -> LiteralValue {
        let id = unwrapped(id)
        switch kind(id) {
        case .stringLiteral: return .string(LiteralText.value(ofString: text(id)))
        case .templateLiteral where childCount(id) == 0: return .string(LiteralText.value(ofString: text(id)))
        case .numberLiteral: return number(text(id)).map(LiteralValue.number) ?? .other(range(id))
        case .trueLiteral: return .bool(true)
        case .falseLiteral: return .bool(false)
        case .nullLiteral: return .null
        case .unary where operation(id) == .minus:
            if case .number(let value) = literalValue(child(id, 0)) { return .number(-value) }
            return .other(range(id))
        case .arrayLiteral: return .array(children(id).map(literalValue))
        case .objectLiteral: return .object(children(id).compactMap(member))
        case .functionExpression, .arrowFunction, .method: return .function(range(id))
        case .identifier, .member: return path(id).map(LiteralValue.name) ?? .other(range(id))
        default: return .other(range(id))
        }
    }

    private func member(_ id: NodeID) -> LiteralValue.Member? {
        guard kind(id) == .property, !propertyTraits(id).contains(.computed) else { return nil }
        let value = child(id, 1)
        let isAccessor = !propertyTraits(id).isDisjoint(with: [.getter, .setter])
        return LiteralValue.Member(
            key: key(child(id, 0)), value: isAccessor ? .other(range(value)) : literalValue(value), range: range(id))
    }

    /// A property's name as it is written before the colon.
    func key(_ id: NodeID) -> String {
        kind(id) == .stringLiteral ? LiteralText.value(ofString: text(id)) : name(id)
    }

    private func number(_ text: String) -> Double? {
        let text = text.filter { $0 != "_" }
        switch text.prefix(2).lowercased() {
        case "0x": return Int(text.dropFirst(2), radix: 16).map(Double.init)
        case "0o": return Int(text.dropFirst(2), radix: 8).map(Double.init)
        case "0b": return Int(text.dropFirst(2), radix: 2).map(Double.init)
        default:
            if text.count > 1, text.first == "0", text.allSatisfy({ ("0"..."7").contains($0) }) {
                return Int(text, radix: 8).map(Double.init)
            }
            return Double(text.hasSuffix(".") ? text + "0" : text)
        }
    }

    /// `a.b.c` as written with plain names; `nil` for anything else.
    func path(_ id: NodeID) -> String? {
        var parts: [String] = []
        var id = unwrapped(id)
        while kind(id) == .member {
            guard kind(child(id, 1)) == .identifier else { return nil }
            parts.append(name(child(id, 1)))
            id = unwrapped(child(id, 0))
        }
        guard kind(id) == .identifier || kind(id) == .thisExpression else { return nil }
        parts.append(name(id))
        return parts.reversed().joined(separator: ".")
    }
}
