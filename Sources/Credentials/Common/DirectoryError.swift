/// The reason why a directory cannot check a password.
public struct DirectoryError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable {
        /// The back end cannot be reached, or the connection broke.
        case unreachable
        /// The back end did not respond in time.
        case timeout
        /// Too many logins wait already; trying again later helps.
        case busy
        /// Only a person can put it right: a wrong parameter, file or query.
        case configuration
        /// The back end responded that it cannot do its work.
        case backEnd
        /// The task that asked was cancelled.
        case cancelled
    }

    public let kind: Kind
    /// The message: the location, the problem, the remedy. Never has a password, entered or stored.
    public let message: String
    /// The wrong lines of a password file; empty for every other error.
    public let lines: [Line]

    /// A wrong line of a password file.
    public struct Line: Sendable, Hashable {
        /// The file, as the login module's parameter names it.
        public let file: String
        /// Counted from 1; `nil` for the whole file.
        public let number: Int?
        /// The problem and the expected form. Never has a password.
        public let problem: String

        var description: String { file + (number.map { ":\($0)" } ?? "") + ": \(problem)" }
    }

    public init(_ kind: Kind, _ message: String) {
        (self.kind, self.message, lines) = (kind, message, [])
    }

    init(lines: [Line]) {
        (kind, message, self.lines) = (.configuration, lines.map(\.description).joined(separator: "\n"), lines)
    }

    public var description: String { message }
}

extension DirectoryError {
    /// Quotes a back end's explanation for a message: in parentheses, without line breaks, and left out when it holds the password.
    static func quote(_ text: String?, without password: String) -> String {
        guard let text, !text.isEmpty else { return "" }
        guard password.isEmpty || !text.contains(password) else { return " (its explanation holds the password)" }
        let line = text.prefix(500).split(whereSeparator: \.isNewline).joined(separator: " ")
        return " (\(line))"
    }
}

/// The reason why a directory cannot be made from the parameters of a login module.
public struct DirectoryConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The login module's class.
    public let module: String
    /// The parameter that is wrong or missing.
    public let parameter: String
    /// The problem, the expected value, the remedy. Never has a password.
    public let problem: String

    public init(module: String, parameter: String, problem: String) {
        (self.module, self.parameter, self.problem) = (module, parameter, problem)
    }

    public var description: String { "parameter '\(parameter)' of \(module): \(problem)" }
}
