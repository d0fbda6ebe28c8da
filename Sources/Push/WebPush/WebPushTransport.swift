public import Core
import Foundation
import HTTPTransfer
public import Logging
public import PushModel
import Synchronization

/// Carries messages to pages in browsers: Web Push (RFC 8030) with the server's own key (RFC 8292) and encryption
/// (RFC 8291).
///
/// One serves all applications and all push services. Each service has a circuit breaker of its own, for one page's service
/// that is down says nothing of the others.
public final class WebPushTransport: PushTransport {
    /// Pages name their services, so there may be any number of them.
    private static let mostServices = 1000

    private let endpoint: ServiceEndpoint?
    private let client: ServiceClient
    private let tokens: VAPIDTokens
    private let time: any TimeSource
    private let logger: Logger
    private let guards: GuardCounters
    private let services = Mutex<[String: Service]>([:])

    /// What is known of one push service.
    private struct Service {
        let breaker: CircuitBreaker
        let removals: MassRemovalGuard
    }

    /// - Parameters:
    ///   - endpoint: where all services are reached instead; then the addresses that they lead to are not looked at.
    ///   - trustRoots: an authority that is trusted besides the system's, as PEM or as a PEM file's path.
    ///   - proxy: looks up the services' names itself, so that it has to keep private addresses from being reached.
    /// - Throws: ``WebPushCredentialError`` when `trustRoots` has no certificate.
    public convenience init(
        credentials: WebPushCredentials, endpoint: ServiceEndpoint? = nil, trustRoots: String? = nil,
        proxy: EgressProxy? = nil, time: any TimeSource, logger: Logger, guards: GuardCounters = .none
    ) throws(WebPushCredentialError) {
        try self.init(
            credentials: credentials, endpoint: endpoint, trustRoots: trustRoots, proxy: proxy, time: time,
            logger: logger, guards: guards,
            settings: ServiceClient.Settings(
                idleTimeout: .seconds(60), namesHosts: true, addresses: AddressCheck()))
    }

    init(
        credentials: WebPushCredentials, endpoint: ServiceEndpoint?, trustRoots: String?, proxy: EgressProxy?,
        time: any TimeSource, logger: Logger, guards: GuardCounters = .none, settings: ServiceClient.Settings
    ) throws(WebPushCredentialError) {
        self.endpoint = endpoint
        self.time = time
        self.logger = logger
        self.guards = guards
        tokens = VAPIDTokens(credentials, time: time)
        var settings = settings
        // An endpoint is the operator's own choice.
        if endpoint != nil { settings.addresses = nil }
        do {
            client = try ServiceClient(
                service: "the push service", settings: settings, trustRoots: trustRoots, proxy: proxy, time: time,
                logger: logger)
        } catch {
            throw WebPushCredentialError(source: error.source, reason: error.problem)
        }
    }

    public func send(_ request: PushRequest, for delivery: Delivery) async -> PushAnswer {
        let subscription: WebPushSubscription
        do {
            subscription = try WebPushSubscription(delivery.target.token?.value ?? "")
        } catch {
            return PushAnswer(.refused(reason: "the page cannot be reached: \(error); it has to subscribe again"))
        }
        let service = service(of: subscription.endpoint)
        let breaker = service.breaker
        if let held = breaker.held() { return held }
        do {
            let response = try await response(to: request, subscription)
            let answer = response.answer(now: time.now)
            if response.isServiceOutage, case .retry(_, let reason) = answer.ending {
                breaker.failed(reason: reason)
            } else {
                breaker.succeeded()
            }
            return PushAnswer(
                service.removals.checked(answer.ending, of: subscription.endpoint.url), serviceID: answer.serviceID)
        } catch let failure as ServiceRequestError where failure.kind == .addressRefused {
            return PushAnswer(.refused(reason: "the page's push service is not spoken to: \(failure.reason)"))
        } catch {
            let reason =
                (error as? ServiceRequestError)?.reason ?? "the message cannot be encrypted or signed: \(error)"
            if !Task.isCancelled { breaker.failed(reason: reason) }
            return PushAnswer(.retry(after: nil, reason: reason))
        }
    }

    public func close() async {
        await client.close()
    }

    /// A token that is refused may have grown old on its way, or the clock was set; so there is one try with a new one.
    private func response(to request: PushRequest, _ subscription: WebPushSubscription) async throws -> WebPushResponse
    {
        let body = try WebPushEncryption.encrypt(request.body, to: subscription)
        let first = try await exchange(request, body, subscription)
        guard [401, 403].contains(first.status), !first.isKeyMismatch else { return first }
        await tokens.forget(subscription.endpoint.origin)
        return try await exchange(request, body, subscription)
    }

    private func exchange(
        _ request: PushRequest, _ body: [UInt8], _ subscription: WebPushSubscription
    ) async throws -> WebPushResponse {
        let headers =
            request.headers.map { ($0.name, $0.value) } + [
                ("Content-Type", "application/octet-stream"), ("Content-Encoding", WebPushEncryption.contentEncoding),
                ("Authorization", try await tokens.authorization(for: subscription.endpoint.origin)),
            ]
        return WebPushResponse(
            try await client.send(
                TransferRequest(
                    "POST", url: endpoint?.replacingOrigin(of: request.url) ?? request.url, headers: headers, body: body
                )))
    }

    private func service(of endpoint: WebPushEndpoint) -> Service {
        services.withLock { services in
            if let service = services[endpoint.origin] { return service }
            if services.count >= Self.mostServices { services.removeAll() }
            let name = "Web Push through \(endpoint.host)"
            let service = Service(
                breaker: CircuitBreaker(name: name, time: time, logger: logger, guards: guards),
                removals: MassRemovalGuard(
                    name: "\(name): pages",
                    alarm: """
                        if what answers is not \(endpoint.host), set webPush.endpoint and push.proxy and start again; if these \
                        pages are gone, remove their subscriptions
                        """, time: time, logger: logger, guards: guards))
            services[endpoint.origin] = service
            return service
        }
    }
}
