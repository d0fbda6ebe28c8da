/// What is wrong with a credential or with what belongs to it.
public struct CredentialError: Error, Hashable, CustomStringConvertible {
    /// The file or the setting that it was read from.
    public let source: String
    /// The field within it, if it is one field's fault.
    public let field: String?
    /// What was expected, what was found instead (no secret), and what to do.
    public let problem: String

    public init(source: String, field: String? = nil, problem: String) {
        self.source = source
        self.field = field
        self.problem = problem
    }

    public var description: String { "\(source): \(field.map { "\($0): " } ?? "")\(problem)" }
}
