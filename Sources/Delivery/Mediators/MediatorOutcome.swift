public import PushModel

/// How one attempt at a delivery ended, and what was sent.
public struct MediatorOutcome: Sendable, Hashable {
    public enum Ending: Sendable, Hashable {
        /// The service took it.
        case delivered
        /// The service refused it for good. `isDeviceGone` says that it does not know the token any more, so that the
        /// subscription should go too (server-api 2.7).
        case refused(reason: String, isDeviceGone: Bool)
        /// To be tried again, at the earliest after the time that the service asked for.
        case retry(after: Duration?, reason: String)
    }

    public let ending: Ending
    /// In the order in which they were sent; without credentials.
    public let requests: [PushRequest]

    public init(_ ending: Ending, requests: [PushRequest]) {
        self.ending = ending
        self.requests = requests
    }
}
