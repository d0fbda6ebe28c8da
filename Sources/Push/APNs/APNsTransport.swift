import Core
import Logging
import NIOCore
import NIOHPACK
import PushModel
import ServiceContextModule
import Synchronization

/// Carries requests to APNs with one credential, for all applications that have it. ``APNsConnections`` makes them.
///
/// A message that cannot be delivered now ends with ``MediatorOutcome/Ending/retry(after:reason:)`` and keeps its id, so that a repeat can be
/// recognised by its `apns-id`.
final class APNsTransport: PushTransport {
    typealias Channel = APNsChannel

    /// The largest number of times that a request is sent within one attempt.
    private static let mostTries = 3

    private let credential: APNsCredential
    private let environment: PushServiceSettings.APNsEnvironment
    private let authority: String
    private let client: HTTP2Client
    private let tokens: APNsProviderTokens?
    private let guardian: ServiceGuard
    /// The connections whose loss was counted; they are numbered in order.
    private let lastLost = Mutex(0)
    private let log: LogLimiter
    private let time: any TimeSource

    init(
        credential: APNsCredential, environment: PushServiceSettings.APNsEnvironment, authority: String,
        client: HTTP2Client, tokens: APNsProviderTokens?, _ context: TransportContext
    ) {
        self.credential = credential
        self.environment = environment
        self.authority = authority
        self.client = client
        self.tokens = tokens
        time = context.time
        log = LogLimiter(logger: context.logger, time: context.time)
        guardian = ServiceGuard(
            name: "APNs (\(environment.rawValue)) with \(credential)",
            removalAlarm: """
                if the environment or the topic is wrong, or the responses do not come from Apple, set the application's \
                APNs environment (production for the App Store, TestFlight and enterprise apps, sandbox for builds from \
                Xcode), its topic and endpoint and restart; if these apps are gone, remove their subscriptions
                """, context)
    }

    func close() async {
        await client.close()
    }

    func send(_ request: APNsRequest) async -> PushAnswer {
        guard request.environment == environment else {
            return PushAnswer(
                .refused(
                    reason:
                        "expected a request to \(environment.host), found another; check the APNs environment of the application"
                ))
        }
        if let held = guardian.breaker.held() { return held }
        let verdict: ServiceVerdict
        if case .certificate(let certificate) = credential, let problem = problem(of: certificate, request.topic) {
            verdict = problem
        } else {
            verdict = await attempt(request)
        }
        return guardian.answer(
            verdict, device: request.token.value, of: "APNs (\(environment.rawValue)) for \(request.topic)")
    }

    /// - Returns: the verdict when nothing can be sent with the certificate.
    private func problem(of certificate: APNsCertificate, _ topic: String) -> ServiceVerdict? {
        guard certificate.topic == topic else {
            return .refused(
                """
                the certificate is for \(certificate.topic) and the message for \(topic); set the application's \
                certificate or its topic
                """, finding: .nothing)
        }
        let now = time.now
        if let lapse = certificate.lapse(at: now) { return .credentialRefused(lapse) }
        if let warning = certificate.warning(at: now) {
            log.log("certificate", at: .warning, every: .seconds(86400), warning)
        }
        return nil
    }

    // MARK: Sending

    private func attempt(_ request: APNsRequest) async -> ServiceVerdict {
        var triesLeft = Self.mostTries
        while true {
            triesLeft -= 1
            let providerToken: APNsProviderTokens.Token?
            do {
                providerToken = try await tokens?.current()
            } catch {
                return .credentialRefused("no provider token can be signed with \(credential): \(error)")
            }
            let response: HTTP2Response
            switch await client.send(message(request, authorization: providerToken?.header)) {
            case .failure(let failure): return verdict(on: failure)
            case .success(let success): response = success
            }
            let answer = APNsAnswer(response)
            let consequence = APNsReasons.consequence(status: answer.status, reason: answer.reason)
            switch consequence {
            case .otherConnection: client.retire(connection: response.connection)
            case .expiredProviderToken:
                guard let providerToken, let tokens else {
                    return .credentialRefused(
                        "\(answer.description); it was sent with a certificate and without a token")
                }
                // The clock may be set at any moment; the breaker's probe finds out.
                if case .clockTrouble(let reason) = tokens.expired(providerToken) { return .credentialRefused(reason) }
            case .tooManyProviderTokens:
                tokens?.rest()
                return answer.verdict(consequence)
            default: return answer.verdict(consequence)
            }
            if triesLeft == 0 { return answer.verdict(consequence) }
        }
    }

    /// Returns the HTTP/2 request. Apple asks clients not to index header fields with values that occur once. The token is in every
    /// request, so its index saves 200 bytes of each.
    private func message(_ request: APNsRequest, authorization: String?) -> HTTP2Request {
        let fields = request.headers
        var headers = HPACKHeaders()
        headers.reserveCapacity(fields.count + 5)
        headers.add(name: ":method", value: "POST")
        headers.add(name: ":scheme", value: "https")
        headers.add(name: ":authority", value: authority)
        headers.add(name: ":path", value: request.path, indexing: .nonIndexable)
        if let authorization { headers.add(name: "authorization", value: authorization, indexing: .indexable) }
        for field in fields {
            let isVaried =
                field.name == "apns-id" || field.name == "apns-expiration" || field.name == "apns-collapse-id"
            headers.add(name: field.name, value: field.value, indexing: isVaried ? .nonIndexable : .indexable)
        }
        for (name, value) in ServiceContext.current?.trace?.headers ?? [] {
            headers.add(name: name, value: value, indexing: .nonIndexable)
        }
        return HTTP2Request(headers: headers, body: ByteBuffer(string: request.body))
    }

    private func verdict(on failure: HTTP2RequestError) -> ServiceVerdict {
        if failure.kind != .cancelled, failure.kind != .closed,
            let word = APNsAnswer.reason(inGoAway: failure.goAway),
            case .credential(let advice) = APNsReasons.consequence(status: 400, reason: word)
        {
            return .credentialRefused("APNs ended the connection: \(word); \(advice)")
        }
        let repeated = failure.mayHaveArrived ? "; it may have arrived, and is repeated under the same id" : ""
        var verdict = ServiceVerdict.retry(
            after: failure.retryAfter, "APNs: \(failure.reason)\(repeated)",
            finding: isFirst(failure) ? .fails : .nothing)
        verdict.cause = failure.reason
        return verdict
    }

    /// Returns true if a failure is the service's and was not counted yet. A lost connection ends many requests and counts as one failure.
    private func isFirst(_ failure: HTTP2RequestError) -> Bool {
        guard failure.kind != .cancelled, failure.kind != .closed else { return false }
        guard let connection = failure.connection else { return true }
        return lastLost.withLock { last in
            guard connection > last else { return false }
            last = connection
            return true
        }
    }
}
