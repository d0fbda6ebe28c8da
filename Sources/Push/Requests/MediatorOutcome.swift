public import PushModel

public import struct Foundation.Date

/// The result of the report that a push service no longer knows a device.
public enum UnregisteredDevice: Sendable, Hashable {
    /// The device was removed, or it stays for another reason; the delivery ends in both cases.
    case settled
    /// The app has another token than the one that was used. The delivery is tried with that token next.
    case hasOtherToken
}

/// The outcome of one attempt at a delivery, with the requests that were sent.
public struct MediatorOutcome: Sendable, Hashable {
    public enum Ending: Sendable, Hashable {
        /// The service accepted it.
        case delivered
        /// Nothing was sent, since there are no credentials for the service; the request that would have been sent is recorded.
        case previewed
        /// The service refused it for good.
        case refused(reason: String)
        /// The service does not know the token any more, so the subscription should be removed too (server-api 2.7). `asOf`: the
        /// service's time of the removal, if given. A device that has registered again since then stays.
        case deviceGone(reason: String, asOf: Date?)
        /// To be tried again, at the earliest after the time that the service asked for.
        case retry(after: Duration?, reason: String)
    }

    public let ending: Ending
    /// The service's id of the message: the `apns-id`, FCM's message name, WNS's `X-WNS-Msg-ID`.
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
/// One mediator serves all platforms of a worker; ``PushRequestBuilder`` makes the requests for any of them, so that a transport only adds
/// credentials, sends, and reads the response.
public protocol Mediator: Sendable {
    /// Makes one attempt at a delivery.
    ///
    /// Many run at the same time. Errors are outcomes, so nothing is thrown. When the task is cancelled (the worker stops, or the attempt takes too
    /// long) it should return soon; its result then no longer counts.
    func deliver(_ delivery: Delivery) async -> MediatorOutcome
}
