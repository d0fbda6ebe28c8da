/// What is wrong with a `worklight.plist`.
public struct SettingsProblem: Error, Equatable, CustomStringConvertible {
    /// The file, as the caller named it.
    public let file: String
    /// The key; `nil` when the file as a whole is meant.
    public let key: String?
    /// What was expected, what there is, and what to do.
    public let problem: String

    public var description: String {
        key.map { "\(file): \($0): \(problem)" } ?? "\(file): \(problem)"
    }
}
