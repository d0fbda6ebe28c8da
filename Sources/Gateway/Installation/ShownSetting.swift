/// A setting as the management API shows it.
public struct ShownSetting: Sendable, Hashable {
    /// As in `lamplighter.yaml`, levels separated by dots.
    public let key: String
    /// `nil` for secrets, and for settings that have their default.
    public let value: String?
    /// `default`, `lamplighter.yaml:LINE`, the environment variable, or the flag.
    public let source: String
    /// What values the setting takes.
    public let expected: String

    public init(key: String, value: String?, source: String, expected: String) {
        (self.key, self.value, self.source, self.expected) = (key, value, source, expected)
    }
}
