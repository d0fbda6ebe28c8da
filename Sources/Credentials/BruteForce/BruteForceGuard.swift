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
        /// Failed logins from everywhere, within `window`, with a text that may be the name of a user, until tries are refused.
        public var failuresPerText = 50
        /// Refused logins within `window` by a user who is logged in, from one address, until tries are refused.
        public var failuresPerAccount = 50
        /// For how long tries of a user who is logged in are refused at most.
        public var longestAccountDelay = Duration.seconds(60)
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
        /// By ``LoginKeys/users``.
        var users: FailureTable
        /// By ``LoginKeys/near``: apart from users, so that made-up texts evict no user.
        var near: FailureTable
        /// By ``LoginKeys/texts``.
        var texts: FailureTable
        var accounts: FailureTable
        var addresses: FailureTable
        /// When logins failed in all, oldest first, within the window: at most as many as the limit.
        var all: [ContinuousClock.Instant] = []

        /// Does the same for each key of a user, or of a text from one network, with its table.
        mutating func forEachName(_ keys: LoginKeys, _ body: (inout FailureTable, String) -> Void) {
            for key in keys.users.keys { body(&users, key) }
            for key in keys.near.keys { body(&near, key) }
        }

        /// Does the same for each key, with its table.
        mutating func forEach(_ keys: LoginKeys, _ body: (inout FailureTable, String) -> Void) {
            forEachName(keys, body)
            for key in keys.texts { body(&texts, key) }
        }
    }

    private let limits: Limits
    private let state: Mutex<State>
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter now: the time.
    public init(limits: Limits = Limits(), now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        func table(_ failures: Int, longestDelay: Duration? = nil) -> FailureTable {
            let policy = FailureRecord.Policy(
                failures: max(1, failures), window: limits.window, firstDelay: limits.firstDelay,
                longestDelay: max(limits.firstDelay, longestDelay ?? limits.longestDelay))
            return FailureTable(policy: policy, capacity: max(1, limits.capacity))
        }
        self.limits = limits
        state = Mutex(
            State(
                users: table(limits.failuresPerUser), near: table(limits.failuresPerUser),
                texts: table(limits.failuresPerText),
                accounts: table(limits.failuresPerAccount, longestDelay: limits.longestAccountDelay),
                addresses: table(limits.failuresPerAddress)))
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
        try admit(realm: realm, LoginSubjects(users: [user]), address: address)
    }

    /// Admits a login whose user is not certain, unless too many have failed.
    ///
    /// - Parameters:
    ///   - subjects: what may be the user's name. The login counts for each of them, and once for the address.
    ///   - address: the remote address, without a port.
    ///   - certainty: whether it is surely a login. Another call counts for its subjects only.
    ///   - ownFailures: how many failures of the address were earlier steps of this login.
    /// - Returns: what must be told the outcome.
    public func admit(
        realm: String, _ subjects: LoginSubjects, address: String, certainty: LoginCertainty = .certain,
        ownFailures: Int = 0
    ) throws(TooManyFailures) -> LoginAttempt {
        let (address, now) = (LoginNames.address(address), now())
        let keys = LoginKeys(subjects, realm: realm, address: address)
        let refusal: TooManyFailures? = state.withLock { state in
            var waits: [TooManyFailures?] = []
            if certainty == .certain {
                waits = [
                    waitForAll(address, ownFailures: ownFailures, at: now, in: &state).map {
                        .init(cause: .all, retryAfter: $0)
                    }, state.addresses.wait(for: address, at: now).map { .init(cause: .address, retryAfter: $0) },
                ]
            }
            state.forEach(keys) { table, key in
                let wait = table.wait(for: key, at: now, isCertain: certainty == .certain)
                waits.append(wait.map { .init(cause: .user, retryAfter: $0) })
            }
            if let refusal = waits.compactMap(\.self).max(by: { $0.retryAfter < $1.retryAfter }) { return refusal }
            if certainty != .unlikely { state.forEachName(keys) { table, key in table.begin(key, at: now) } }
            if certainty == .certain { state.addresses.begin(address, at: now) }
            return nil
        }
        if let refusal { throw refusal }
        return LoginAttempt { [weak self] outcome in
            self?.end(keys, address, outcome, realm: realm, certainty)
        }
    }

    /// Admits another login of a user who is logged in, unless too many have failed. Failures count for this user at this address
    /// only.
    ///
    /// - Parameters:
    ///   - account: who is logged in.
    ///   - address: the remote address, without a port.
    /// - Returns: what must be told the outcome.
    public func admit(realm: String, account: String, address: String) throws(TooManyFailures) -> LoginAttempt {
        let (key, now) = (LoginNames.user(account, realm: realm) + "\0" + LoginNames.address(address), now())
        let wait = state.withLock { state in
            let wait = state.accounts.wait(for: key, at: now)
            if wait == nil { state.accounts.begin(key, at: now) }
            return wait
        }
        if let wait { throw TooManyFailures(cause: .user, retryAfter: wait) }
        return LoginAttempt { [weak self] outcome in
            guard let self else { return }
            let now = self.now()
            state.withLock { state in
                state.accounts.end(key, at: now)
                state.accounts.note(outcome, of: key, clears: false, at: now)
            }
        }
    }

    /// How long an address is refused since logins failed everywhere; `nil` when they did not, or none failed from there.
    private func waitForAll(
        _ address: String, ownFailures: Int, at now: ContinuousClock.Instant, in state: inout State
    ) -> Duration? {
        state.all.removeFirst(state.all.prefix { now - $0 >= limits.window }.count)
        guard let oldest = state.all.first, state.all.count >= max(1, limits.failuresInAll),
            state.addresses.hasFailed(address, moreThan: ownFailures, at: now)
        else { return nil }
        return max(limits.firstDelay, oldest + limits.window - now)
    }

    /// Takes back a failure of a login that was a step of one that has succeeded since.
    ///
    /// - Parameters:
    ///   - subjects: as they were admitted.
    ///   - known: the users who have logged in; `nil` when the whole login was about one name. The failure stays for others, and for
    ///     the address when it was about others.
    ///   - isForAddress: whether the failure is taken back for the address in any case.
    ///   - certainty: as it was admitted.
    public func forgive(
        realm: String, _ subjects: LoginSubjects, loggedIn known: [String]?, address: String,
        isForAddress: Bool = false, certainty: LoginCertainty = .certain
    ) {
        let (address, now) = (LoginNames.address(address), now())
        let names = known.map { Set($0.map { LoginNames.user($0, realm: realm) }) }
        let all = LoginKeys(subjects, realm: realm, address: address)
        let keys = names.map(all.only) ?? all
        let isOwn = names.map { all.users.values.allSatisfy($0.contains) && keys != LoginKeys() } ?? true
        state.withLock { state in
            state.forEach(keys) { table, key in table.forgive(key, at: now) }
            guard isForAddress || isOwn, certainty == .certain else { return }
            state.addresses.forgive(address, at: now)
            _ = state.all.popLast()
        }
    }

    /// Whether two names are spellings of one user's that count together.
    public static func isSameUser(_ name: String, _ other: String) -> Bool {
        LoginNames.user(name, realm: "") == LoginNames.user(other, realm: "")
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

    private func end(
        _ keys: LoginKeys, _ address: String, _ outcome: LoginAttempt.Outcome, realm: String,
        _ certainty: LoginCertainty
    ) {
        let now = now()
        var counted = keys
        if case .succeeded(let names?) = outcome {
            counted = keys.only(Set(names.map { LoginNames.user($0, realm: realm) }))
        }
        state.withLock { state in
            if certainty != .unlikely { state.forEachName(keys) { table, key in table.end(key, at: now) } }
            state.forEach(counted) { table, key in table.note(outcome, of: key, clears: true, at: now) }
            guard certainty == .certain else { return }
            if outcome == .failed {
                state.all.append(now)
                if state.all.count > max(1, limits.failuresInAll) { state.all.removeFirst() }
            }
            state.addresses.end(address, at: now)
            state.addresses.note(outcome, of: address, clears: false, at: now)
        }
    }
}

/// How sure it is that a call is a login.
public enum LoginCertainty: Sendable, Hashable {
    /// It has a password. It counts for its subjects, its address, and all.
    case certain
    /// It may log a user in, and may be another call. It counts for its subjects only, also while it is under way.
    case possible
    /// It logs nobody in, as far as is known. It counts for its subjects once it has been refused.
    case unlikely
}
