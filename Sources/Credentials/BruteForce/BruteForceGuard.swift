import Synchronization

/// Slows the guessing of passwords: after some failed logins of a user, or from an address, further ones are refused
/// for a while, each time twice as long, without asking the directory.
///
/// It knows nothing of other nodes, and nothing after a restart.
public final class BruteForceGuard: Sendable {
    /// How much is too much.
    public struct Limits: Sendable, Hashable {
        /// Failed logins of one user within `window` until tries are refused.
        public var failuresPerUser = 5
        /// Failed logins from one address (for IPv6: one /64 network) within `window` until tries are refused.
        public var failuresPerAddress = 50
        /// Failed logins in all within `window` until an address may fail only once within it. Whoever logs in at the first
        /// try is never refused by this.
        public var failuresInAll = 1000
        public var window = Duration.seconds(300)
        /// For how long tries are refused at first; after each further failure twice as long.
        public var firstDelay = Duration.seconds(1)
        /// For how long tries are refused at most. All is forgotten when nothing failed for this time, or for `window`
        /// where that is longer.
        public var longestDelay = Duration.seconds(900)
        /// How many users, and how many addresses, are remembered; beyond, the oldest go.
        public var capacity = 10_000

        public init() {}
    }

    private struct State {
        var users: FailureTable
        var addresses: FailureTable
        /// When logins failed in all, oldest first, within the window: at most as many as the limit.
        var all: [ContinuousClock.Instant] = []
    }

    private let limits: Limits
    private let state: Mutex<State>
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter now: the time.
    public init(limits: Limits = Limits(), now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        func table(_ failures: Int) -> FailureTable {
            let policy = FailureRecord.Policy(
                failures: max(1, failures), window: limits.window, firstDelay: limits.firstDelay,
                longestDelay: max(limits.firstDelay, limits.longestDelay))
            return FailureTable(policy: policy, capacity: max(1, limits.capacity))
        }
        self.limits = limits
        state = Mutex(State(users: table(limits.failuresPerUser), addresses: table(limits.failuresPerAddress)))
        self.now = now
    }

    /// Asks whether a login may be tried now.
    ///
    /// Tries whose outcome is not known yet count as failed, so that many at once do not all get through.
    ///
    /// - Parameters:
    ///   - user: the name as it was typed; spellings that directories take for the same count together.
    ///   - address: the remote address, without a port.
    /// - Returns: what must be told the outcome.
    public func admit(realm: String, user: String, address: String) throws(TooManyFailures) -> LoginAttempt {
        let (user, address, now) = (LoginNames.user(user, realm: realm), LoginNames.address(address), now())
        let refusal: TooManyFailures? = state.withLock { state in
            let waits = [
                waitForAll(address, at: now, in: &state).map { TooManyFailures(cause: .all, retryAfter: $0) },
                state.addresses.wait(for: address, at: now).map { TooManyFailures(cause: .address, retryAfter: $0) },
                state.users.wait(for: user, at: now).map { TooManyFailures(cause: .user, retryAfter: $0) },
            ]
            if let refusal = waits.compactMap(\.self).max(by: { $0.retryAfter < $1.retryAfter }) { return refusal }
            state.users.begin(user, at: now)
            state.addresses.begin(address, at: now)
            return nil
        }
        if let refusal { throw refusal }
        return LoginAttempt { [weak self] outcome in self?.end(user, address, outcome) }
    }

    /// How long an address is refused since logins failed everywhere; `nil` when they did not, or none failed from there.
    private func waitForAll(
        _ address: String, at now: ContinuousClock.Instant, in state: inout State
    ) -> Duration? {
        state.all.removeFirst(state.all.prefix { now - $0 >= limits.window }.count)
        guard let oldest = state.all.first, state.all.count >= max(1, limits.failuresInAll),
            state.addresses.hasFailed(address, at: now)
        else { return nil }
        return max(limits.firstDelay, oldest + limits.window - now)
    }

    /// Takes back a failure of a user and an address that turned out to be none.
    public func forgive(realm: String, user: String, address: String) {
        let (user, address, now) = (LoginNames.user(user, realm: realm), LoginNames.address(address), now())
        state.withLock { state in
            state.users.forgive(user, at: now)
            state.addresses.forgive(address, at: now)
            _ = state.all.popLast()
        }
    }

    /// Checks a password, unless there were too many failures.
    public func user(
        named name: String, password: String, realm: String, address: String, in directory: any PasswordDirectory
    ) async throws -> DirectoryUser? {
        let attempt = try admit(realm: realm, user: name, address: address)
        guard let user = try await directory.user(named: name, password: password) else {
            attempt.failed()
            return nil
        }
        attempt.succeeded()
        return user
    }

    /// How many users and addresses are remembered.
    var size: (users: Int, addresses: Int) {
        state.withLock { ($0.users.count, $0.addresses.count) }
    }

    private func end(_ user: String, _ address: String, _ outcome: LoginAttempt.Outcome) {
        let now = now()
        state.withLock { state in
            if outcome == .failed {
                state.all.append(now)
                if state.all.count > max(1, limits.failuresInAll) { state.all.removeFirst() }
            }
            state.users.end(user, outcome, clears: true, at: now)
            state.addresses.end(address, outcome, clears: false, at: now)
        }
    }
}
