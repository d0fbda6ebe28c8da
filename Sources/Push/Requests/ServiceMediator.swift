public import Core
public import PushModel

/// Sends each delivery through the transport of its service and application.
public struct ServiceMediator: Mediator {
    /// A service and an application; `nil` stands for every application that has no transport of its own.
    public struct Route: Sendable, Hashable, Comparable, CustomStringConvertible {
        public let service: PushService
        public let applicationID: String?

        public init(service: PushService, applicationID: String? = nil) {
            self.service = service
            self.applicationID = applicationID
        }

        public static func < (one: Route, other: Route) -> Bool {
            (one.service.rawValue, one.applicationID ?? "") < (other.service.rawValue, other.applicationID ?? "")
        }

        /// The service, with the application where it has a credential of its own.
        public var description: String { "\(service)\(applicationID.map { " for \($0)" } ?? "")" }
    }

    private let builder: PushRequestBuilder
    private let transports: [Route: any PushTransport]
    private let preview: PreviewMediator?
    private let time: any TimeSource

    /// - Parameters:
    ///   - preview: takes what no transport is there for; without it, such deliveries are refused.
    public init(
        settings: PushServiceSettings, transports: [Route: any PushTransport], preview: PreviewMediator?,
        time: any TimeSource
    ) {
        builder = PushRequestBuilder(settings: settings)
        self.transports = transports
        self.preview = preview
        self.time = time
    }

    /// Sends the requests one after the other. A part that the service refuses does not stop those after it: a user who wants
    /// no toasts still gets the badge and the payload (server-api 2.8: failed ones are dropped).
    public func deliver(_ delivery: Delivery) async -> MediatorOutcome {
        let requests: [PushRequest]
        do {
            requests = try builder.requests(for: delivery, now: time.now)
        } catch {
            return MediatorOutcome(.refused(reason: error.reason), requests: [])
        }
        var sent: [PushRequest] = []
        var serviceID: String?
        var refusal: MediatorOutcome.Ending?
        var isDelivered = false
        for request in requests {
            guard let transport = transport(of: request, for: delivery) else {
                if let preview { return await preview.deliver(delivery) }
                let application = delivery.target.applicationID.map { " of \($0)" } ?? ""
                return MediatorOutcome(
                    .refused(reason: "there are no credentials for \(request.service)\(application)"), requests: sent)
            }
            let answer = await transport.send(request, for: delivery)
            sent.append(request)
            serviceID = answer.serviceID ?? serviceID
            switch answer.ending {
            case .delivered, .previewed: isDelivered = true
            case .refused: refusal = refusal ?? answer.ending
            case .deviceGone, .retry: return MediatorOutcome(answer.ending, serviceID: serviceID, requests: sent)
            }
        }
        let ending = isDelivered ? .delivered : refusal ?? .delivered
        return MediatorOutcome(ending, serviceID: serviceID, requests: sent)
    }

    private func transport(of request: PushRequest, for delivery: Delivery) -> (any PushTransport)? {
        transports[Route(service: request.service, applicationID: delivery.target.applicationID)]
            ?? transports[Route(service: request.service)]
    }
}
