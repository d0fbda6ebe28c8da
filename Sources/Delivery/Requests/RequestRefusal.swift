/// Why no request can be made for a delivery, now or ever.
public struct RequestRefusal: Error, Hashable, CustomStringConvertible {
    /// For the operator: what is wrong, and what would be right.
    public let reason: String

    /// Whether the message is larger than its service takes.
    public let isTooLarge: Bool

    public init(_ reason: String, isTooLarge: Bool = false) {
        self.reason = reason
        self.isTooLarge = isTooLarge
    }

    public var description: String { reason }
}
