public import Core

// `#expect(try await harness.call("find") == …)` cannot show what was found, since it does not look into what is awaited. These do, and
// line by line.
extension JSONValue {
    /// Holds a value against what is expected. The order of members does not count.
    ///
    ///     try await harness.call("find", 7).expect(["isSuccessful": true, "name": "Lamp"])
    ///
    /// - Throws: ``PayloadMismatchError``.
    public func expect(_ expected: JSONValue, fileID: String = #fileID, line: Int = #line) throws(PayloadMismatchError)
    {
        guard let difference = expected.difference(to: self) else { return }
        throw PayloadMismatchError(what: "the value", text: difference, place: TestPlace(fileID: fileID, line: line))
    }

    /// Holds a part of a value against what is expected: objects may have further members.
    ///
    /// - Throws: ``PayloadMismatchError``.
    public func expect(
        containing expected: JSONValue, fileID: String = #fileID, line: Int = #line
    ) throws(PayloadMismatchError) {
        try restricted(to: expected).expect(expected, fileID: fileID, line: line)
    }

    /// The value without the members that another has not.
    func restricted(to other: JSONValue) -> JSONValue {
        switch (self, other) {
        case (.object(let object), .object(let wanted)):
            var result = JSONObject()
            for member in object.members {
                if let other = wanted[member.key] { result[member.key] = member.value.restricted(to: other) }
            }
            return .object(result)
        case (.array(let elements), .array(let wanted)) where elements.count == wanted.count:
            return .array(zip(elements, wanted).map { $0.restricted(to: $1) })
        default: return self
        }
    }
}

extension JSONValue {
    /// What differs between this value, which was expected, and another that was found, line by line: `-` expected, `+` found.
    ///
    /// - Returns: `nil` when they are equal; the order of members does not count.
    public func difference(to found: JSONValue) -> String? {
        LineDifference.between(
            expected: sorted.prettyText(indentation: 2, shortest: 0),
            found: found.sorted.prettyText(indentation: 2, shortest: 0))
    }
}
