public import Core
public import Logging
public import PushModel

/// Makes the requests and sends nothing: for development, where there are no credentials for the push services.
///
/// What would have been sent is recorded with the deliveries.
public struct PreviewMediator: Mediator {
    private let builder: PushRequestBuilder
    private let time: any TimeSource
    private let logger: Logger

    /// - Parameter logger: gets a notice of every delivery that nothing left the machine.
    public init(settings: PushServiceSettings = PushServiceSettings(), time: any TimeSource, logger: Logger) {
        builder = PushRequestBuilder(settings: settings)
        self.time = time
        self.logger = logger
    }

    public func deliver(_ delivery: Delivery) async -> MediatorOutcome {
        let address = delivery.addressText
        var metadata = delivery.metadata
        metadata[address.key] = "\(address.value)"
        do {
            let requests = try builder.requests(for: delivery, now: time.now)
            let count = requests.count == 1 ? "1 request" : "\(requests.count) requests"
            logger.notice(
                """
                PREVIEW ONLY, nothing left this machine: recorded \(count) to \(requests.first?.service.rawValue ?? "nobody"), \
                see lamplighter deliveries
                """,
                metadata: metadata)
            return MediatorOutcome(.previewed, requests: requests)
        } catch {
            logger.notice(
                "PREVIEW ONLY, nothing left this machine: refused, since \(error.reason)", metadata: metadata)
            return MediatorOutcome(.refused(reason: error.reason), requests: [])
        }
    }
}
