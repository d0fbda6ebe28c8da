import Core
import PushModel

/// The reason why no request can be made for a delivery, now or ever.
public struct PushRequestError: Error, Hashable, CustomStringConvertible {
    /// The problem and the expected value, for the operator.
    public let reason: String

    /// True if the message exceeds the service's size limit.
    public let isTooLarge: Bool

    public init(_ reason: String, isTooLarge: Bool = false) {
        self.reason = reason
        self.isTooLarge = isTooLarge
    }

    public var description: String { reason }

    /// For options that hold a wrong value, which is named where the adapter wrote it.
    static func malformed(_ problem: NotificationError, in delivery: Delivery) -> PushRequestError {
        var problem = problem
        if case .registration = delivery.target { problem = problem.inSettings }
        return PushRequestError("the notification's options are malformed: \(problem)")
    }
}
