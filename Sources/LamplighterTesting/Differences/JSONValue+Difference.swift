public import Core

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
