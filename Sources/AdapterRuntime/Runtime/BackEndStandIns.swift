public import BackEndHTTP
public import Databases

/// Who answers in place of the back ends of adapters: for tests.
public protocol BackEndStandIns: Sendable {
    /// For an adapter's HTTP back end; `nil` for the back end itself.
    func http(for adapter: String) -> (any BackEndStandIn)?

    /// For an adapter's database; `nil` for the database itself.
    ///
    /// - Throws: `SQLConfigurationError` when there should be one and it cannot be opened; the adapter then has no database.
    func database(for adapter: String) throws(SQLConfigurationError) -> SQLDataSource?
}
