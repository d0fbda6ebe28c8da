public import PushModel

/// Carries requests to one push service, with the credentials of one application or of several.
public protocol PushTransport: Sendable {
    /// Adds the credentials to a request, sends it, and reads the service's answer.
    ///
    /// Many run at the same time. Errors are answers, so nothing is thrown. When the task is cancelled it should return
    /// soon; what it returns then no longer counts.
    ///
    /// - Parameters:
    ///   - request: as ``PushRequestBuilder`` made it, to the service's official address.
    ///   - delivery: what the request is for.
    func send(_ request: PushRequest, for delivery: Delivery) async -> PushAnswer

    /// Ends its connections. Nothing is sent afterwards.
    func close() async
}

/// A push service's answer to one request.
public struct PushAnswer: Sendable, Hashable {
    public let ending: MediatorOutcome.Ending
    /// See ``MediatorOutcome/serviceID``.
    public let serviceID: String?

    public init(_ ending: MediatorOutcome.Ending, serviceID: String? = nil) {
        self.ending = ending
        self.serviceID = serviceID
    }
}
