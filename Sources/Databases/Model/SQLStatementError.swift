/// The reason why a statement or procedure has no result.
public struct SQLStatementError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable {
        /// No ODBC driver for the database is installed (FWLST0905E).
        case driverMissing
        /// The database cannot be reached, refuses the login, or the connection broke in mid-statement.
        case connection
        /// The database refused the statement or a parameter (FWLST0906E).
        case statement
        /// The deadline passed; the statement may or may not have taken effect.
        case timeout
        /// The deadline passed while all connections were in use; the statement was not sent.
        case poolExhausted
        case resultTooLarge
        /// The data source was closed.
        case closed
    }

    public let kind: Kind
    /// The message: the database's own first, then the remedy if it is known. Never has a password.
    public let message: String
    /// The database's five-character code, where there is one.
    public let sqlState: String?

    public init(_ kind: Kind, _ message: String, sqlState: String? = nil) {
        self.kind = kind
        self.message = message
        self.sqlState = sqlState
    }

    public var description: String {
        if let sqlState { "\(message) (SQLSTATE \(sqlState))" } else { message }
    }

    static func timedOut(_ what: String, after limit: Duration) -> SQLStatementError {
        SQLStatementError(.timeout, "\(what) within \(limit.inSeconds)")
    }

    static func tooLarge(limit: Int) -> SQLStatementError {
        SQLStatementError(
            .resultTooLarge, "the result is larger than \(limit) bytes as JSON: select fewer rows or columns")
    }

    /// The failure without `password` in its message.
    func redacting(_ password: String?) -> SQLStatementError {
        // Three letters would hit ordinary words more often than a password.
        guard let password, password.utf8.count > 3, message.contains(password) else { return self }
        return SQLStatementError(
            kind, message.split(separator: password, omittingEmptySubsequences: false).joined(separator: "***"),
            sqlState: sqlState)
    }
}

/// The reason why a connection policy is rejected.
public struct SQLConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    public let adapter: String
    /// The problem, the expected value and the remedy. Never has a password.
    public let problem: String

    public init(adapter: String, problem: String) {
        self.adapter = adapter
        self.problem = problem
    }

    public var description: String { "adapter \(adapter): \(problem)" }
}

extension Duration {
    /// `1.5 s`
    var inSeconds: String { formatted(in: Double(components.seconds) + Double(components.attoseconds) * 1e-18) }

    private func formatted(in seconds: Double) -> String {
        let rounded = (seconds * 1000).rounded() / 1000
        return rounded == rounded.rounded() ? "\(Int64(rounded)) s" : "\(rounded) s"
    }
}
