import Core

/// A file that cannot be imported. Nothing has been written then.
public struct ImportError: Error, Hashable, CustomStringConvertible {
    /// `FILE: reason; remedy`.
    public let description: String

    init(_ file: String, _ reason: String) {
        description = "\(file): \(reason)".printableLine
    }
}
