/// Where a PostgreSQL database is: `postgres://user:password@host:port/database?sslmode=verify-full`, as libpq reads it. Several hosts
/// are separated by commas.
public struct PostgreSQLAddress: Sendable, Hashable, CustomStringConvertible {
    /// With the password.
    let text: String

    /// - Returns: `nil` when the text is no such address.
    public init?(_ text: String) {
        guard text.wholeMatch(of: /postgres(ql)?:\/\/[^\/?#]*\/[^\/?#]+(\?\S*)?/) != nil else { return nil }
        self.text = text
    }

    /// The hosts and the database, without the user and the password.
    public var description: String {
        let rest = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "?" }
        let start = rest.lastIndex(of: "@").map { rest.index(after: $0) } ?? rest.startIndex
        return "PostgreSQL at \(rest[start...])"
    }
}
