/// Something about a project that its author should know: what, where, and what to do.
public struct ProjectError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Severity: String, Sendable, Hashable {
        /// The element does not work until the error is fixed.
        case error
        /// It works, perhaps not as meant.
        case warning
        /// It is left out of account, on purpose.
        case note
    }

    public let severity: Severity
    /// The file, relative to the project's folder.
    public let file: String
    /// Counted from 1; `nil` for the whole file.
    public let line: Int?
    /// Counted from 1.
    public let column: Int?
    public let message: String
    /// The kind of problem, such as `undefined-callback`, where problems of its kind can be allowed; else `nil`.
    public let id: String?
    /// The fix that `lamplighter check --fix` applies; `nil` when there is none.
    public let fix: String?
    /// True if it names a feature of the project that Lamplighter does not have. The server then starts with a warning.
    public let isOmission: Bool

    public init(
        _ severity: Severity, file: String, line: Int? = nil, column: Int? = nil, _ message: String, id: String? = nil,
        fix: String? = nil, isOmission: Bool = false
    ) {
        self.severity = severity
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.id = id
        self.fix = fix
        self.isOmission = isOmission
    }

    /// `file:line:column: severity: message [id]`, as compilers write it and editors read it.
    public var description: String {
        "\(place): \(severity.rawValue): \(message)" + (fix == nil ? "" : " (--fix does it)")
            + (id.map { " [\($0)]" } ?? "")
    }

    /// `file:line:column`, as much of it as is known.
    public var place: String {
        file + [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
    }
}

/// The problems of a project, collected while it is read.
final class ProblemList {
    private(set) var problems: [ProjectError] = []

    func add(_ problem: ProjectError) {
        problems.append(problem)
    }

    /// The number of errors.
    var errors: Int { problems.count { $0.severity == .error } }
}

extension [ProjectError] {
    /// The problems, ordered by file and line; those of a whole file come first.
    public var inOrder: [ProjectError] {
        enumerated().sorted { left, right in
            (left.element.file, left.element.line ?? 0, left.offset)
                < (right.element.file, right.element.line ?? 0, right.offset)
        }.map(\.element)
    }
}
