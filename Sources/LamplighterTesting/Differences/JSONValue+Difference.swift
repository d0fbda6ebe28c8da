public import PushModel

extension JSONValue {
    /// What differs between this value, which was expected, and another that was found, line by line: `-` expected, `+` found.
    ///
    /// - Returns: `nil` when they are equal; the order of members does not count.
    public func difference(to found: JSONValue) -> String? {
        LineDifference.between(
            expected: sorted.prettyText(indentation: 2, shortest: 0),
            found: found.sorted.prettyText(indentation: 2, shortest: 0))
    }

    /// The value with the members of all objects in the order of their keys.
    private var sorted: JSONValue {
        switch self {
        case .array(let elements): return .array(elements.map(\.sorted))
        case .object(let object):
            var result = JSONObject()
            for member in object.members.sorted(by: { $0.key < $1.key }) { result[member.key] = member.value.sorted }
            return .object(result)
        default: return self
        }
    }
}
