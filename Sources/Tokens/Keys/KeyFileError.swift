/// Why the server's key cannot be had from its file.
public struct KeyFileError: Error, CustomStringConvertible {
    public let path: String
    /// What is wrong, and what to do.
    public let reason: String

    public var description: String { "the key file '\(path)' \(reason)" }
}
