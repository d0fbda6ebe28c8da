/// What a statement or procedure gave back.
public struct SQLResult: Sendable, Hashable {
    /// The rows of a query; nil for a statement that returns none.
    public var resultSet: SQLRows?
    /// How many rows an INSERT, UPDATE or DELETE touched, 0 for other statements; nil when there is a result set.
    public var updateCount: Int?
    /// How many parameters were given beyond the statement's placeholders, and ignored.
    public internal(set) var surplusParameters = 0

    public init(resultSet: SQLRows) {
        self.resultSet = resultSet
    }

    public init(updateCount: Int) {
        self.updateCount = updateCount
    }
}

/// A result set: labels, and the values row by row in one array.
public struct SQLRows: Sendable, Hashable {
    /// The columns' labels in order. Of columns with the same label the first gives the place and the last the value, as
    /// in a JSON object.
    public internal(set) var columns: [String]
    /// All rows' values, one row after the other, `columns.count` each.
    public internal(set) var values: [SQLValue]

    /// How many rows there are.
    public var count: Int { columns.isEmpty ? 0 : values.count / columns.count }

    /// - Parameter row: 0 ..< count.
    public subscript(row: Int) -> ArraySlice<SQLValue> {
        values[row * columns.count..<(row + 1) * columns.count]
    }
}
