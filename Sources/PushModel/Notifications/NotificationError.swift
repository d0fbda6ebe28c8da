public import Core

/// An error in the options of `notify*`: its path, the expected value, and the value that was found.
public struct NotificationError: Error, Hashable, CustomStringConvertible {
    /// The keys from the options down to the value, for example `APNS.badge`; empty for the options themselves.
    public let path: String
    /// The expected value, for example "a whole number".
    public let expected: String
    public let found: JSONValue

    public init(path: String, expected: String, found: JSONValue) {
        self.path = path
        self.expected = expected
        self.found = found
    }

    /// One line, for example `APNS.badge: expected a whole number, got the string 'one'`.
    public var description: String {
        "\(path.isEmpty ? "options" : path): expected \(expected), got \(finding)"
    }

    /// The kind of the value found, and the value itself when it is short.
    private var finding: String {
        let text = found.text
        guard text.utf8.count <= 40 else { return found.kind }
        return switch found {
        case .number: "the number \(text)"
        case .string(let string): "the string '\(string)'"
        case .bool: text
        case .null, .array, .object: found.kind
        }
    }
}
