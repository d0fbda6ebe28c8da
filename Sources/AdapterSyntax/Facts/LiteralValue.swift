/// A value as a script writes it down, as far as it is known without running the script.
public indirect enum LiteralValue: Sendable, Hashable {
    case string(String)
    case number(Double)
    case bool(Bool)
    case null
    case array([LiteralValue])
    case object([Member])
    /// A variable or a property of one: `onPoll`, `config.name`.
    case name(String)
    /// A function literal; its range shows which of ``ScriptFacts/functions`` it is.
    case function(SourceRange)
    /// A value that only running the script shows.
    case other(SourceRange)

    /// A property of an object literal.
    public struct Member: Sendable, Hashable {
        public let key: String
        public let value: LiteralValue
        /// The range of key and value.
        public let range: SourceRange

        /// The key of a computed or spread member, which only running the script shows.
        static let unknownKey = "[…]"

        /// True if it is a computed key or something spread, which only running the script shows.
        public var isUnknown: Bool { key == Self.unknownKey }
    }

    /// The value of an object's property; the last one counts when there are several.
    public subscript(key: String) -> LiteralValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// True if it is an object literal that has neither a computed key nor another object spread into it.
    public var isWholeObject: Bool {
        if case .object(let members) = self { !members.contains(where: \.isUnknown) } else { false }
    }

    /// The value of a string literal; `nil` for anything else.
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
    /// Returns the value of an expression, as far as its literals show it.
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
        case .binary where operation(id) == .plus: return joined(id).map(LiteralValue.string) ?? .other(range(id))
        case .arrayLiteral: return .array(children(id).map(literalValue))
        case .objectLiteral: return .object(children(id).map(member))
        case .functionExpression, .arrowFunction, .method: return .function(range(id))
        case .identifier, .member: return path(id).map(LiteralValue.name) ?? .other(range(id))
        default: return .other(range(id))
        }
    }

    /// Returns the string that a sum of strings makes. Uses a loop, since a long sum is deeply nested.
    private func joined(_ id: NodeID) -> String? {
        var parts: [String] = []
        var id = id
        while kind(id) == .binary, operation(id) == .plus {
            guard kind(unwrapped(child(id, 1))) == .stringLiteral else { return nil }
            parts.append(LiteralText.value(ofString: text(unwrapped(child(id, 1)))))
            id = unwrapped(child(id, 0))
        }
        guard kind(id) == .stringLiteral else { return nil }
        return LiteralText.value(ofString: text(id)) + parts.reversed().joined()
    }

    private func member(_ id: NodeID) -> LiteralValue.Member {
        guard kind(id) == .property, !propertyTraits(id).contains(.computed) else {
            return LiteralValue.Member(key: LiteralValue.Member.unknownKey, value: .other(range(id)), range: range(id))
        }
        let value = child(id, 1)
        let isAccessor = !propertyTraits(id).isDisjoint(with: [.getter, .setter])
        return LiteralValue.Member(
            key: key(child(id, 0)), value: isAccessor ? .other(range(value)) : literalValue(value), range: range(id))
    }

    /// Returns a property's name as it is written before the colon.
    public func key(_ id: NodeID) -> String {
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

    /// Returns `a.b.c` as written with plain names; `nil` for anything else.
    public func path(_ id: NodeID) -> String? {
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
