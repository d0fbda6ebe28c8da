import Core
import HTTPTransfer
import PushModel
import Synchronization

/// Carries messages to pages in browsers: Web Push (RFC 8030) with the server's own key (RFC 8292) and encryption
/// (RFC 8291).
///
/// One serves all applications and all push services. Each service has a separate guard, for an outage of one page's service says nothing about the
/// others.
final class WebPushTransport: PushTransport {
    typealias Channel = WebPushChannel

    /// Pages name their services, so there may be any number of them.
    private static let mostServices = 1000

    private let context: TransportContext
    private let client: ServiceClient
    private let tokens: VAPIDTokens
    /// The guards, keyed by the origins of the services.
    private let guardians = Mutex(BoundedTable<String, ServiceGuard>(capacity: WebPushTransport.mostServices))

    /// - Parameter context: with an endpoint, the resolved addresses of the services are not checked. A proxy resolves their names itself, so it has
    ///   to keep private addresses from being reached.
    /// - Throws: ``WebPushCredentialError`` when the trusted certificates cannot be read.
    init(
        _ credentials: WebPushCredentials, _ context: TransportContext,
        settings: ServiceClient.Settings = ServiceClient.Settings(
            idleTimeout: .seconds(60), namesHosts: true, allows: PublicAddress.contains)
    ) throws(WebPushCredentialError) {
        self.context = context
        tokens = VAPIDTokens(credentials, time: context.time)
        var settings = settings
        // An endpoint is the operator's own choice.
        if context.endpoint != nil { settings.allows = nil }
        do {
            client = try ServiceClient(service: "the push service", settings: settings, context)
        } catch {
            throw WebPushCredentialError(source: error.source, reason: error.problem)
        }
    }

    func send(_ request: WebPushRequest) async -> PushAnswer {
        let service = request.subscription.endpoint
        let guardian = guardian(of: service)
        if let held = guardian.breaker.held() { return held }
        return guardian.answer(
            await verdict(on: request), device: service.url, of: "Web Push through \(service.host): pages")
    }

    func close() async {
        await client.close()
    }

    private func verdict(on request: WebPushRequest) async -> ServiceVerdict {
        do {
            return try await answer(to: request).webPushVerdict(now: context.time.now)
        } catch let failure as ServiceRequestError where failure.kind == .addressRefused {
            return .refused("the page's push service is not spoken to: \(failure.reason)", finding: .nothing)
        } catch {
            return .retry(
                (error as? ServiceRequestError)?.reason ?? "the message cannot be encrypted or signed: \(error)",
                finding: Task.isCancelled ? .nothing : .fails)
        }
    }

    /// A token that is refused may have grown old on its way, or the clock was set; so there is one try with a new one.
    private func answer(to request: WebPushRequest) async throws -> ServiceAnswer {
        let body = try WebPushEncryption.encrypt(request.text, to: request.subscription)
        let first = try await exchange(request, body)
        guard [401, 403].contains(first.status), !first.isKeyMismatch else { return first }
        await tokens.forget(request.subscription.endpoint.origin)
        return try await exchange(request, body)
    }

    private func exchange(_ request: WebPushRequest, _ body: [UInt8]) async throws -> ServiceAnswer {
        let service = request.subscription.endpoint
        let headers =
            request.headers.map { ($0.name, $0.value) } + [
                ("Content-Type", "application/octet-stream"), ("Content-Encoding", WebPushEncryption.contentEncoding),
                ("Authorization", try await tokens.authorization(for: service.origin)),
            ]
        return try await client.send(
            TransferRequest(
                "POST", url: context.endpoint?.replacingOrigin(of: service.url) ?? service.url, headers: headers,
                body: body))
    }

    private func guardian(of service: WebPushEndpoint) -> ServiceGuard {
        guardians.withLock { guardians in
            if let known = guardians[service.origin] { return known }
            let guardian = ServiceGuard(
                name: "Web Push through \(service.host)",
                removalAlarm: """
                    if the responses do not come from \(service.host), set webPush.endpoint and push.proxy and restart; if \
                    these pages are gone, remove their subscriptions
                    """, context)
            guardians[service.origin] = guardian
            return guardian
        }
    }
}
