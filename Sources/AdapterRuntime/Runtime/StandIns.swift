public import BackEndHTTP
public import BackEndSQL

/// Who answers in place of the back ends of adapters: for tests.
public protocol BackEndStandIns: Sendable {
    /// For an adapter's HTTP back end; `nil` for the back end itself.
    func http(for adapter: String) -> (any BackEndStandIn)?

    /// For an adapter's database; `nil` for the database itself.
    func database(for adapter: String) -> SQLDataSource?
}
