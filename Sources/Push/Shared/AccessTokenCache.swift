import Core
import Logging
import Synchronization

/// Keeps the OAuth access token of one credential: gets it when it is first needed, and a new one shortly before it ends.
///
/// Of many callers one fetches; the others use the token that still holds, or wait for the new one.
final class AccessTokenCache: Sendable {
    struct Token: Sendable, Hashable {
        /// The value of the `Authorization` header.
        let authorization: String
        /// Distinguishes it from earlier and later tokens.
        let number: Int
    }

    /// A token as the token endpoint grants it.
    struct Grant: Sendable {
        let token: String
        let lifetime: Duration
    }

    private typealias Waiter = CheckedContinuation<Result<Token, VerdictError>, Never>

    private struct State {
        var token: Token?
        var renewal = Duration.zero
        var end = Duration.zero
        var grants = 0
        var fetch: Task<Void, Never>?
        var waiters: [Int: Waiter] = [:]
        var waitersStarted = 0
        var isClosed = false
    }

    /// The time before expiry at which a token is renewed; a fifth of the lifetime for a short-lived token.
    private static let margin = Duration.seconds(300)
    /// The pause between a failed renewal and the next one while the old token is still valid.
    private static let pause = Duration.seconds(30)

    private let name: String
    private let time: any TimeSource
    private let logger: Logger
    private let log: LogLimiter
    private let fetch: @Sendable () async throws(VerdictError) -> Grant
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: the credential's, for the log.
    ///   - fetch: asks the token endpoint.
    init(
        name: String, time: any TimeSource, logger: Logger,
        fetch: @escaping @Sendable () async throws(VerdictError) -> Grant
    ) {
        self.name = name
        self.time = time
        self.logger = logger
        log = LogLimiter(logger: logger, time: time)
        self.fetch = fetch
    }

    /// The token to send along. Returns at once while there is one that holds.
    ///
    /// - Throws: ``VerdictError`` when there is none and none can be had, or when the task is cancelled.
    func current() async throws(VerdictError) -> Token {
        let now = time.uptime
        let token: Token? = state.withLock { state in
            guard let token = state.token, now < state.end else { return nil }
            if now >= state.renewal { startFetch(&state) }
            return token
        }
        if let token { return token }
        return try await next().get()
    }

    /// The service does not take a token any more. The next caller gets another.
    func refused(_ token: Token) {
        state.withLock { state in
            if state.token?.number == token.number { state.token = nil }
        }
    }

    /// Ends the fetch. Waiting calls throw.
    func close() {
        let (fetch, waiters) = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [:] }
            return (state.fetch, Array(state.waiters.values))
        }
        fetch?.cancel()
        for waiter in waiters { waiter.resume(returning: .failure(Self.cancelled)) }
    }

    private static let cancelled = VerdictError(verdict: .retry("cancelled", finding: .nothing))

    /// Waits for the token that is being fetched, or has one fetched.
    private func next() async -> Result<Token, VerdictError> {
        let number = state.withLock { state in
            state.waitersStarted += 1
            return state.waitersStarted
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let answer: Result<Token, VerdictError>? = state.withLock { state in
                    // Cancellation before this point finds nobody to wake, and after it finds the waiter.
                    if state.isClosed || Task.isCancelled { return .failure(Self.cancelled) }
                    if let token = state.token, time.uptime < state.end { return .success(token) }
                    state.waiters[number] = waiter
                    startFetch(&state)
                    return nil
                }
                if let answer { waiter.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
            waiter?.resume(returning: .failure(Self.cancelled))
        }
    }

    /// Starts a renewal in a separate task, so that a caller that is cancelled does not cancel it for the others.
    private func startFetch(_ state: inout State) {
        guard state.fetch == nil, !state.isClosed else { return }
        state.fetch = Task { await self.renew() }
    }

    private func renew() async {
        let started = time.uptime
        let result: Result<Grant, VerdictError>
        do throws(VerdictError) {
            result = .success(try await fetch())
        } catch {
            result = .failure(error)
        }
        let (outcome, waiters) = state.withLock { state in
            state.fetch = nil
            let outcome: Result<Token, VerdictError>
            switch result {
            case .success(let grant):
                state.grants += 1
                let token = Token(authorization: "Bearer \(grant.token)", number: state.grants)
                state.token = token
                state.end = started + grant.lifetime
                state.renewal = state.end - min(Self.margin, grant.lifetime / 5)
                outcome = .success(token)
            case .failure(let failure):
                state.renewal = time.uptime + Self.pause
                outcome = .failure(failure)
            }
            defer { state.waiters = [:] }
            return (outcome, Array(state.waiters.values))
        }
        switch outcome {
        case .success(let token):
            logger.debug("\(name): access token \(token.number) was granted")
            log.recovered("token") { "\(name): access tokens are granted again after \($0) failed requests" }
        case .failure(let failure):
            log.log("token", at: .warning, "\(name): no access token: \(failure.verdict.ending.reasonText)")
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }
}
