import Core
import Logging
import PushModel

/// Sends each delivery through the transport of its service and application.
struct ServiceMediator: Mediator {
    /// A service and an application; `nil` for every application without its own transport.
    struct Route: Sendable, Hashable, Comparable, CustomStringConvertible {
        let service: PushService
        var applicationID: String?

        static func < (one: Route, other: Route) -> Bool {
            (one.service.rawValue, one.applicationID ?? "") < (other.service.rawValue, other.applicationID ?? "")
        }

        /// The service, with the application if it has its own credential.
        var description: String { "\(service)\(applicationID.map { " for \($0)" } ?? "")" }
    }

    let settings: PushServiceSettings
    let transports: [Route: any PushTransport]
    /// Note how the requests of their routes ended.
    var monitors: [Route: CredentialMonitor] = [:]
    /// Logs each delivery without a transport, which is then recorded and not sent: for development without credentials. With `nil`,
    /// such deliveries are refused.
    let preview: Logger?
    let time: any TimeSource

    func deliver(_ delivery: Delivery) async -> MediatorOutcome {
        do throws(PushRequestError) {
            let message = try OutgoingMessage(delivery, settings, now: time.now)
            let channel = message.channel
            let own = Route(service: channel.service, applicationID: delivery.target.applicationID)
            let route = transports[own] == nil ? Route(service: channel.service) : own
            guard let transport = transports[route] else {
                return withoutTransport(delivery, channel.service, try channel.records(of: message))
            }
            let (monitor, time) = (monitors[route], time)
            return try await transport.deliver(message) { monitor?.note($0, at: time.now) }
        } catch {
            return MediatorOutcome(.refused(reason: error.reason), requests: [])
        }
    }

    private func withoutTransport(
        _ delivery: Delivery, _ service: PushService, _ requests: [PushRequest]
    ) -> MediatorOutcome {
        guard let preview else {
            let application = delivery.target.applicationID.map { " of \($0)" } ?? ""
            return MediatorOutcome(
                .refused(reason: "there are no credentials for \(service)\(application)"), requests: [])
        }
        let address = delivery.addressText
        var metadata = delivery.metadata
        metadata[address.key] = "\(address.value)"
        let count = requests.count == 1 ? "1 request" : "\(requests.count) requests"
        preview.notice(
            "PREVIEW ONLY, nothing left this machine: recorded \(count) to \(service), see lamplighter deliveries",
            metadata: metadata)
        return MediatorOutcome(.previewed, requests: requests)
    }
}
