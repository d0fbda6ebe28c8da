public import struct Foundation.Date
public import struct Foundation.UUID

/// The outcome of one attempt at a delivery.
public struct DeliveryReport: Sendable, Hashable {
    public enum Ending: Sendable, Hashable {
        /// The service took it.
        case delivered
        /// Recorded, and not sent: there are no credentials for the service.
        case previewed
        /// The service refused it for good.
        case refused(reason: String)
        /// Its time to live ran out before a service took it. The requests of its last attempt, and the reason for its failure, are kept.
        case expired
        /// To be tried again.
        case retry(at: Date, reason: String)

        /// True if the delivery has ended.
        public var isEnd: Bool { state != nil }

        /// The final state of the delivery; `nil` when it is retried.
        public var state: DeliveryState? {
            switch self {
            case .delivered: .delivered
            case .previewed: .previewed
            case .refused: .refused
            case .expired: .expired
            case .retry: nil
            }
        }
    }

    public let id: UUID
    package let number: StoreNumber
    /// The claim under which the attempt was made.
    package var claim: StoreNumber
    public let ending: Ending
    /// The end of the attempt.
    public let date: Date
    /// The service's id of the message, if it returned one.
    public let serviceID: String?
    /// The requests that were sent, where they are kept for readers; empty otherwise, and when none was sent.
    public let requests: [PushRequest]

    /// - Parameter delivery: the delivery that the outbox returned with the claim; its id alone does not find it.
    public init(
        on delivery: Delivery, ending: Ending, date: Date, serviceID: String? = nil, requests: [PushRequest] = []
    ) {
        id = delivery.id
        number = delivery.number
        claim = delivery.claim
        self.ending = ending
        self.date = date
        self.serviceID = serviceID
        self.requests = requests
    }
}
