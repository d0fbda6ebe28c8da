/// Why the server's key cannot be had from its file.
public struct KeyFileError: Error, CustomStringConvertible {
    public let path: String
    /// What is wrong, and what to do.
    public let reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    public var description: String { "the key file '\(path)' \(reason)" }
}
