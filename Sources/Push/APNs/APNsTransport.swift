import Core
import Logging
import NIOCore
import NIOHPACK
public import PushModel
import ServiceContextModule
import Synchronization

/// Carries requests to APNs with one credential, for all applications that have it. ``APNsConnections`` makes them.
///
/// A message that cannot arrive now is answered with ``MediatorOutcome/Ending/retry(after:reason:)`` and keeps its id, so
/// that a repeat can be recognised by its `apns-id`.
public final class APNsTransport: PushTransport {
    /// How often a request is sent at most within one attempt.
    private static let mostTries = 3

    private let credential: APNsCredential
    private let environment: PushServiceSettings.APNsEnvironment
    /// What the URLs of requests for this environment begin with.
    private let origin: String
    private let authority: String
    private let client: HTTP2Client
    private let tokens: APNsProviderTokens?
    private let breaker: CircuitBreaker
    private let removals = Mutex<[String: MassRemovalGuard]>([:])
    /// The connections whose loss was counted; they are numbered in order.
    private let lastLost = Mutex(0)
    private let log: LogLimiter
    private let time: any TimeSource
    private let logger: Logger
    private let guards: GuardCounters

    init(
        credential: APNsCredential, environment: PushServiceSettings.APNsEnvironment, authority: String,
        client: HTTP2Client, tokens: APNsProviderTokens?, time: any TimeSource, logger: Logger, guards: GuardCounters
    ) {
        self.credential = credential
        self.environment = environment
        self.authority = authority
        self.client = client
        self.tokens = tokens
        self.time = time
        self.logger = logger
        self.guards = guards
        log = LogLimiter(logger: logger, time: time)
        origin = "https://\(environment.host)/"
        breaker = CircuitBreaker(
            name: "APNs (\(environment.rawValue)) with \(credential)", time: time, logger: logger, guards: guards)
    }

    public func close() async {
        await client.close()
    }

    public func send(_ request: PushRequest, for delivery: Delivery) async -> PushAnswer {
        guard request.url.hasPrefix(origin) else {
            return PushAnswer(
                .refused(
                    reason:
                        "expected a request to \(environment.host), found another; check the APNs environment of the application"
                ))
        }
        let topic = request.headers.first { $0.name == "apns-topic" }?.value ?? ""
        let removal = removalGuard(of: topic)
        if let held = breaker.held() { return held }
        if case .certificate(let certificate) = credential, let problem = problem(of: certificate, topic: topic) {
            return problem
        }
        return await attempt(request, removal)
    }

    // MARK: Before sending

    private func removalGuard(of topic: String) -> MassRemovalGuard {
        removals.withLock { removals in
            if let removal = removals[topic] { return removal }
            let removal = MassRemovalGuard(
                name: "APNs (\(environment.rawValue)) for \(topic)",
                alarm: """
                    if the environment or the topic is wrong, or what answers is not Apple, set the application's APNs \
                    environment (production for the App Store, TestFlight and enterprise apps, sandbox for builds from \
                    Xcode), its topic and endpoint and start again; if these apps are gone, remove their subscriptions
                    """, time: time, logger: logger, guards: guards)
            removals[topic] = removal
            return removal
        }
    }

    /// - Returns: the answer when nothing can be sent with the certificate.
    private func problem(of certificate: APNsCertificate, topic: String) -> PushAnswer? {
        guard certificate.topic == topic else {
            return PushAnswer(
                .refused(
                    reason: """
                        the certificate is for \(certificate.topic) and the message for \(topic); set the \
                        application's certificate or its topic
                        """))
        }
        let now = time.now
        if let lapse = certificate.lapse(at: now) {
            breaker.trip(reason: lapse)
            return PushAnswer(.retry(after: nil, reason: lapse))
        }
        if let warning = certificate.warning(at: now) {
            log.log("certificate", at: .warning, every: .seconds(86400), warning)
        }
        return nil
    }

    // MARK: Sending

    private func attempt(_ request: PushRequest, _ removal: MassRemovalGuard) async -> PushAnswer {
        for isLast in (1...Self.mostTries).map({ $0 == Self.mostTries }) {
            let providerToken: APNsProviderTokens.Token?
            do {
                providerToken = try await tokens?.current()
            } catch {
                let reason = "no provider token can be signed with \(credential): \(error)"
                breaker.trip(reason: reason)
                return PushAnswer(.retry(after: nil, reason: reason))
            }
            let response: HTTP2Response
            switch await client.send(message(request, authorization: providerToken?.header)) {
            case .failure(let failure): return answer(failure)
            case .success(let success): response = success
            }
            let answer = APNsAnswer(response)
            switch APNsReasons.consequence(status: answer.status, reason: answer.reason) {
            case .otherConnection:
                client.retire(connection: response.connection)
                if isLast { return trouble(answer) }
            case .expiredProviderToken:
                guard let providerToken, let tokens else {
                    return credentialRefused(answer, advice: "it was sent with a certificate and without a token")
                }
                switch tokens.expired(providerToken) {
                case .renewed:
                    if isLast { return trouble(answer) }
                case .clockTrouble(let reason):
                    // The clock may be set at any moment; the breaker's probe finds out.
                    breaker.trip(reason: reason)
                    return PushAnswer(.retry(after: nil, reason: reason), serviceID: answer.id)
                }
            case let consequence:
                return conclude(consequence, answer, device: request.url, removal)
            }
        }
        return PushAnswer(.retry(after: nil, reason: "APNs did not take it"))
    }

    /// What goes over the wire. Apple asks not to fill its table of header fields with values that come once. The
    /// token comes with every request, so that the table saves 200 bytes of each.
    private func message(_ request: PushRequest, authorization: String?) -> HTTP2Request {
        var headers = HPACKHeaders()
        headers.reserveCapacity(request.headers.count + 5)
        headers.add(name: ":method", value: request.method)
        headers.add(name: ":scheme", value: "https")
        headers.add(name: ":authority", value: authority)
        headers.add(
            name: ":path", value: String(request.url.utf8.dropFirst(origin.utf8.count - 1)) ?? "/",
            indexing: .nonIndexable)
        if let authorization { headers.add(name: "authorization", value: authorization, indexing: .indexable) }
        for header in request.headers {
            let isVaried =
                header.name == "apns-id" || header.name == "apns-expiration" || header.name == "apns-collapse-id"
            headers.add(name: header.name, value: header.value, indexing: isVaried ? .nonIndexable : .indexable)
        }
        for (name, value) in ServiceContext.current?.trace?.headers ?? [] {
            headers.add(name: name, value: value, indexing: .nonIndexable)
        }
        return HTTP2Request(headers: headers, body: ByteBuffer(string: request.body))
    }

    // MARK: Conclusions

    private func conclude(
        _ consequence: APNsReasons.Consequence, _ answer: APNsAnswer, device: String, _ removal: MassRemovalGuard
    ) -> PushAnswer {
        let reason = answer.description
        let ending: MediatorOutcome.Ending
        switch consequence {
        case .delivered:
            breaker.succeeded()
            ending = .delivered
        case .refused(let advice):
            breaker.succeeded()
            ending = .refused(reason: "\(reason); \(advice)")
        case .deviceGone:
            breaker.succeeded()
            ending = .deviceGone(reason: "\(reason); the app was removed from the device", asOf: answer.asOf)
        case .foreignToken:
            breaker.succeeded()
            ending = .deviceGone(
                reason: "\(reason); the token is of another app or of Apple's other service", asOf: nil)
        case .retry(let pause):
            breaker.succeeded()
            ending = .retry(after: answer.retryAfter ?? pause, reason: "\(reason); only this device waits")
        case .credential(let advice):
            return credentialRefused(answer, advice: advice)
        case .tooManyProviderTokens:
            tokens?.rest()
            breaker.trip(
                reason:
                    "\(reason): another server uses the same key, or this one was started often; the old token goes on",
                pause: .seconds(60))
            ending = .retry(after: answer.retryAfter ?? .seconds(60), reason: reason)
        case .serviceTrouble, .otherConnection, .expiredProviderToken:
            return trouble(answer)
        }
        return PushAnswer(removal.checked(ending, of: device), serviceID: answer.id)
    }

    private func credentialRefused(_ answer: APNsAnswer, advice: String) -> PushAnswer {
        let reason = "\(answer.description); \(advice)"
        breaker.trip(reason: reason)
        return PushAnswer(.retry(after: answer.retryAfter, reason: reason), serviceID: answer.id)
    }

    private func trouble(_ answer: APNsAnswer) -> PushAnswer {
        breaker.failed(reason: answer.description)
        return PushAnswer(.retry(after: answer.retryAfter, reason: answer.description), serviceID: answer.id)
    }

    private func answer(_ failure: HTTP2RequestError) -> PushAnswer {
        let repeated = failure.mayHaveArrived ? "; it may have arrived, and is repeated under the same id" : ""
        let reason = "APNs: \(failure.reason)\(repeated)"
        switch failure.kind {
        case .cancelled, .closed: break
        case .unreachable, .notHTTP2, .tls, .proxyLogin, .addressRefused, .connectionLost, .reset, .timedOut,
            .badAnswer:
            if let word = APNsAnswer.reason(inGoAway: failure.goAway),
                case .credential(let advice) = APNsReasons.consequence(status: 400, reason: word)
            {
                breaker.trip(reason: "APNs ended the connection: \(word); \(advice)")
            } else if isFirst(failure) {
                breaker.failed(reason: failure.reason)
            }
        }
        return PushAnswer(.retry(after: failure.retryAfter, reason: reason))
    }

    /// A lost connection takes many requests with it and is one failure.
    private func isFirst(_ failure: HTTP2RequestError) -> Bool {
        guard let connection = failure.connection else { return true }
        return lastLost.withLock { last in
            guard connection > last else { return false }
            last = connection
            return true
        }
    }
}
