import Databases

/// The address of a PostgreSQL database: `postgres://user:password@host:port/database?sslmode=verify-full`, as libpq reads it. Several hosts are
/// separated by commas.
public struct PostgreSQLAddress: Sendable, Hashable, CustomStringConvertible {
    /// With the password.
    let text: String
    let hostCount: Int

    /// - Returns: `nil` when the string is not such an address, as when special characters of the password are not percent-encoded.
    public init?(_ text: String) {
        guard let parts = text.wholeMatch(of: /postgres(ql)?:\/\/([^@\/?#\s]*@)?([^@\/?#\s]+)\/[^\/?#\s]+(\?\S*)?/)
        else { return nil }
        // libpq's own messages about these would show parts of the password.
        guard text.firstMatch(of: /%(?![0-9A-Fa-f]{2})/) == nil else { return nil }
        let hosts = parts.3.split(separator: ",", omittingEmptySubsequences: false)
        guard hosts.allSatisfy({ $0.wholeMatch(of: /([A-Za-z0-9._%-]+|\[[0-9A-Fa-f:.%]+\])(:\d+)?/) != nil }) else {
            return nil
        }
        self.text = text
        hostCount = hosts.count
    }

    /// The hosts and the database, without the user and the password.
    public var description: String {
        let rest = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "?" }
        let start = rest.lastIndex(of: "@").map { rest.index(after: $0) } ?? rest.startIndex
        return "PostgreSQL at \(rest[start...])"
    }
}

extension PostgreSQLSessions {
    convenience init(
        _ address: PostgreSQLAddress, limit: Int, statementTime: Duration = .seconds(30)
    ) {
        // Each host has five seconds to respond.
        self.init(
            address.text, name: "\(address)", limit: limit, connectTime: .seconds(5 * address.hostCount + 1),
            statementTime: statementTime)
    }
}
