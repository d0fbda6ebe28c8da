public import Core

// `#expect(try await harness.call("find") == …)` cannot show the actual value, because the macro does not capture the values of awaited
// expressions. These functions report the lines that differ.
extension JSONValue {
    /// Compares the value with an expected one. The order of members is ignored.
    ///
    /// ```swift
    /// try await harness.call("find", 7).expect(["isSuccessful": true, "name": "Lamp"])
    /// ```
    ///
    /// - Throws: ``PayloadMismatchError`` with the lines that differ.
    public func expect(_ expected: JSONValue, fileID: String = #fileID, line: Int = #line) throws(PayloadMismatchError)
    {
        guard let difference = expected.difference(to: self) else { return }
        throw PayloadMismatchError(what: "the value", text: difference, place: TestPlace(fileID: fileID, line: line))
    }

    /// Compares a part of the value with an expected value: objects, also nested ones, may have further members.
    ///
    /// - Throws: ``PayloadMismatchError`` with the lines that differ.
    public func expect(
        containing expected: JSONValue, fileID: String = #fileID, line: Int = #line
    ) throws(PayloadMismatchError) {
        try restricted(to: expected).expect(expected, fileID: fileID, line: line)
    }

    /// Returns the value without the members that `other` does not have.
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
    /// Returns the difference between this value, which was expected, and the actual value, line by line: `-` expected, `+` actual.
    ///
    /// - Returns: the lines; `nil` when the values are equal. The order of members is ignored.
    public func difference(to found: JSONValue) -> String? {
        LineDifference.between(
            expected: sorted.prettyText(indentation: 2, shortest: 0),
            found: found.sorted.prettyText(indentation: 2, shortest: 0))
    }
}
