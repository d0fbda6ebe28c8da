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
