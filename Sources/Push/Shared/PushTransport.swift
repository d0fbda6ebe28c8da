import PushModel

/// Carries requests to one push service, with the credentials of one application or of several.
protocol PushTransport: Sendable {
    associatedtype Channel: PushChannel

    /// Adds the credentials to a request, sends it, and reads the service's response.
    ///
    /// Many run at the same time. Errors are outcomes, so nothing is thrown. When the task is cancelled it should return soon; its result then no
    /// longer counts.
    func send(_ request: Channel.Request) async -> PushAnswer

    /// Ends its connections. Nothing is sent afterwards.
    func close() async
}

extension PushTransport {
    /// Sends the requests of a message one after the other. A part that the service refuses does not stop those after it: a
    /// user who wants no toasts still gets the badge and the payload (server-api 2.8: failed ones are dropped).
    ///
    /// - Parameter note: gets how each request ended.
    /// - Throws: ``PushRequestError`` when no request can be made.
    func deliver(
        _ message: OutgoingMessage, note: @Sendable (MediatorOutcome.Ending) -> Void
    ) async throws(PushRequestError) -> MediatorOutcome {
        var sent: [PushRequest] = []
        var serviceID: String?
        var refusal: MediatorOutcome.Ending?
        var isDelivered = false
        for request in try Channel.requests(for: message) {
            let answer = await send(request)
            note(answer.ending)
            sent.append(request.record)
            serviceID = answer.serviceID ?? serviceID
            switch answer.ending {
            case .delivered, .previewed: isDelivered = true
            case .refused: refusal = refusal ?? answer.ending
            case .deviceGone, .retry: return MediatorOutcome(answer.ending, serviceID: serviceID, requests: sent)
            }
        }
        return MediatorOutcome(
            isDelivered ? .delivered : refusal ?? .delivered, serviceID: serviceID, requests: sent)
    }
}

/// The outcome of one request to a push service.
struct PushAnswer: Sendable, Hashable {
    let ending: MediatorOutcome.Ending
    /// See ``MediatorOutcome/serviceID``.
    let serviceID: String?

    init(_ ending: MediatorOutcome.Ending, serviceID: String? = nil) {
        self.ending = ending
        self.serviceID = serviceID
    }
}
