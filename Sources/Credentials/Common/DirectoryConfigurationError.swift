/// Why a directory cannot be made from the parameters of a login module.
public struct DirectoryConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The login module's class.
    public let module: String
    /// The parameter that is wrong or missing.
    public let parameter: String
    /// What is wrong, what was expected, what to do. Never has a password.
    public let problem: String

    public init(module: String, parameter: String, problem: String) {
        (self.module, self.parameter, self.problem) = (module, parameter, problem)
    }

    public var description: String { "parameter '\(parameter)' of \(module): \(problem)" }
}
