public import PushModel

public import struct Foundation.Date

/// What has become of a device that its push service no longer knows.
public enum UnregisteredDevice: Sendable, Hashable {
    /// It was removed, or it stays for a reason of its own; either way the delivery has come to its end.
    case settled
    /// The app has another token than the one that the service was given. The delivery goes there next.
    case hasOtherToken
}

/// How one attempt at a delivery ended, and what was sent.
public struct MediatorOutcome: Sendable, Hashable {
    public enum Ending: Sendable, Hashable {
        /// The service took it.
        case delivered
        /// Nothing was sent, since there are no credentials for the service; what would have been is recorded.
        case previewed
        /// The service refused it for good.
        case refused(reason: String)
        /// The service does not know the token any more, so that the subscription should go too (server-api 2.7). `asOf` is
        /// when it found out, where it says so: a device that has registered again since then stays.
        case deviceGone(reason: String, asOf: Date?)
        /// To be tried again, at the earliest after the time that the service asked for.
        case retry(after: Duration?, reason: String)
    }

    public let ending: Ending
    /// By what the service knows the message: the `apns-id`, FCM's message name, WNS's `X-WNS-Msg-ID`.
    public let serviceID: String?
    /// In the order in which they were sent; without credentials.
    public let requests: [PushRequest]

    public init(_ ending: Ending, serviceID: String? = nil, requests: [PushRequest]) {
        self.ending = ending
        self.serviceID = serviceID
        self.requests = requests
    }
}

extension MediatorOutcome.Ending {
    /// The kind of failure, for traces; `nil` for success.
    var failure: String? {
        switch self {
        case .delivered, .previewed: nil
        case .refused: "refused"
        case .deviceGone: "device_gone"
        case .retry: "retried"
        }
    }
}

/// Carries deliveries to a push service.
///
/// One mediator serves all platforms of a worker; ``PushRequestBuilder`` makes the requests for any of them, so that a
/// transport only adds credentials, sends, and reads the answer.
public protocol Mediator: Sendable {
    /// Makes one attempt at a delivery.
    ///
    /// Many run at the same time. Errors are outcomes, so nothing is thrown. When the task is cancelled (the worker
    /// stops, or the attempt takes too long) it should return soon; what it returns then no longer counts.
    func deliver(_ delivery: Delivery) async -> MediatorOutcome
}
