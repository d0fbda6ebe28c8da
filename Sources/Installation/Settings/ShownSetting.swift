/// A setting as the management API shows it.
public struct ShownSetting: Sendable, Hashable {
    /// The source of a setting that nothing has set.
    public static let defaultSource = "default"

    /// The key in `lamplighter.yaml`, levels separated by dots.
    public let key: String
    /// The value in force, in the form that `lamplighter.yaml` takes; `nil` for secrets, and while there is none.
    public let value: String?
    /// The word for a missing value, such as `not set`; `nil` for settings that have one.
    public let unset: String?
    /// True if the value is not shown.
    public let isSecret: Bool
    /// `default`, `lamplighter.yaml:LINE`, the environment variable, or the flag.
    public let source: String
    /// A description of the values that the setting takes.
    public let expected: String

    public init(
        key: String, value: String?, unset: String? = nil, isSecret: Bool = false, source: String, expected: String
    ) {
        (self.key, self.value, self.unset, self.isSecret) = (key, value, unset, isSecret)
        (self.source, self.expected) = (source, expected)
    }
}
