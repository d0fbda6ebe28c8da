public import struct Foundation.Date

/// A failed attempt at a delivery.
public struct DeliveryFailure: Sendable, Hashable, Codable {
    /// The number of failed attempts that the store keeps of each delivery; older ones are dropped.
    public static let limit = 20

    /// The end of the attempt.
    public let time: Date
    /// The push service's response, with its status if it has one, or the reason why there is none.
    public let reason: String

    public init(time: Date, reason: String) {
        (self.time, self.reason) = (time, reason)
    }
}

extension [DeliveryFailure] {
    /// Appends an attempt, and drops the oldest ones beyond ``DeliveryFailure/limit``.
    package mutating func add(_ failure: DeliveryFailure) {
        append(failure)
        if count > DeliveryFailure.limit { removeFirst(count - DeliveryFailure.limit) }
    }
}

extension DeliveryReport {
    /// The failed attempt that the report is about; `nil` when the attempt succeeded or none was made.
    package var failure: DeliveryFailure? {
        switch ending {
        case .retry(_, let reason), .refused(let reason): DeliveryFailure(time: date, reason: reason)
        case .delivered, .previewed, .expired: nil
        }
    }
}
