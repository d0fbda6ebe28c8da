/// The error for a damaged file, or for a mapping with a mistake. Nothing has been written to the store then.
public struct SubscriptionImportError: Error, Hashable, CustomStringConvertible {
    /// `FILE:LINE: reason; remedy`.
    public let description: String

    init(_ file: String, line: Int? = nil, _ reason: String) {
        description = "\(file)\(line.map { ":\($0)" } ?? ""): \(reason)"
    }
}
