/// Why no request can be made for a delivery, now or ever.
public struct RequestRefusal: Error, Hashable, CustomStringConvertible {
    /// For the operator: what is wrong, and what would be right.
    public let reason: String

    public init(_ reason: String) {
        self.reason = reason
    }

    public var description: String { reason }
}
