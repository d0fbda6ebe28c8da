public import Databases
import Foundation
public import Logging
import Synchronization

/// `com.worklight.core.auth.ext.RDBMSLoginModule`: users in a database.
///
/// Parameters of the original, which has them from JBoss's `DatabaseServerLoginModule`:
/// - `dsJndiName`: the data source's name.
/// - `principalsQuery`: `?` is the user's name; the first column is the password, in plain text or hashed
///   (`PasswordHash`). Ours: a column `displayName`.
/// - `rolesQuery`: ignored, since the server has no roles.
public final class DatabaseDirectory: PasswordDirectory {
    public static let module = "com.worklight.core.auth.ext.RDBMSLoginModule"

    private enum Name {
        static let source = "dsJndiName"
        static let principals = "principalsQuery"
        static let roles = "rolesQuery"
    }

    private let queries: DatabaseQueries
    private let threads: LoginThreads
    private let hasher: PasswordHasher
    /// Takes as long to verify as the last password that was found: for users that do not exist.
    private let lastFound = Mutex<StoredPassword?>(nil)

    /// - Parameters:
    ///   - parameters: the login module's.
    ///   - timeout: how long the database may take, its connections' queue included.
    ///   - sourceAdvice: what to do when there is no data source of a name.
    ///   - dataSource: finds a data source by its JNDI name; `nil` when there is none.
    /// - Throws: with the name of a parameter that is missing or wrong.
    public init(
        parameters: [(name: String, value: String)], hasher: PasswordHasher = .shared, timeout: Duration = .seconds(10),
        logger: Logger = Logger(label: "rdbms"),
        sourceAdvice: (String) -> String = { _ in "define it in worklight.properties" },
        dataSource: (String) -> SQLDataSource?
    ) throws(DirectoryConfigurationError) {
        let parameters = try DirectoryParameters(
            parameters, module: Self.module, known: [Name.source, Name.principals, Name.roles], logger: logger)
        let name = try parameters.required(Name.source, "the JNDI name of a data source, such as jdbc/users")
        guard let source = dataSource(name) else {
            throw parameters.wrong(
                Name.source, "there is no data source '\(name)'; \(sourceAdvice(name))")
        }
        let principals = try parameters.required(
            Name.principals, "a query, such as SELECT password FROM users WHERE name = ?")
        guard DatabasePlaceholders.count(in: principals) > 0 else {
            throw parameters.wrong(
                Name.principals, "the query has no ? for the user's name, so it would be the same for everybody")
        }
        queries = DatabaseQueries(source: source, name: name, principals: principals, timeout: timeout)
        self.hasher = hasher
        threads = LoginThreads(name: "login data source \(name)", threads: 4, queueLimit: 100)
    }

    public func user(named name: String, password: String) async throws(DirectoryError) -> DirectoryUser? {
        // Not every database keeps the characters after a NUL.
        guard !name.contains("\0") else { return nil }
        let limit = queries.timeout * 2 + .milliseconds(250)
        let found = try await threads.run(within: limit) { [queries] () throws(DirectoryError) in
            try queries.principal(name, password: password)
        }
        let stored = found?.password
        let expected = lastFound.withLock { last in
            if let stored { last = stored.lookalike }
            return stored ?? last
        }
        let isRight = try await expected?.matches(password, hasher: hasher) ?? false
        guard let found, stored != nil, isRight, !password.isEmpty else { return nil }
        return DirectoryUser(name: name, displayName: found.displayName)
    }
}
