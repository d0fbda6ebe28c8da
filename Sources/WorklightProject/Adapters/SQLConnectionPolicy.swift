/// A `connectionPolicy` of type `SQLConnectionPolicy` (server-api 5.1).
public struct SQLConnectionPolicy: Sendable, Hashable {
    /// The source of the database connections.
    public enum Source: Sendable, Hashable {
        /// `dataSourceDefinition`.
        case definition(SQLDataSourceDefinition)
        /// `dataSourceJNDIName`, which the application server resolved.
        case jndiName(String)
    }

    public var source: Source
    /// The line of the URL or of the JNDI name; `nil` for a policy that no file has.
    public var line: Int?
    /// `maxConcurrentConnectionsPerNode`, from `loadConstraints`.
    public var maxConcurrentConnections = 50

    public init(_ source: Source) {
        self.source = source
    }
}

/// A `dataSourceDefinition` element.
public struct SQLDataSourceDefinition: Sendable, Hashable {
    /// A JDBC URL, such as `jdbc:postgresql://host:5432/database`.
    public let url: String
    public let user: String?
    public let password: String?

    public init(url: String, user: String? = nil, password: String? = nil) {
        self.url = url
        self.user = user
        self.password = password
    }
}
