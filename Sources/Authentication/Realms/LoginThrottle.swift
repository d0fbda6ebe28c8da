package import Core
import Foundation
import Synchronization

/// A login was refused without a check, since too many passwords were refused at its address.
public struct TooManyLoginsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The limit that was reached, for the log.
    let limit: String
    /// The time after which the client may try again.
    public let retryAfter: Duration

    public var description: String { "Too many attempts. Try again in \(retryAfter.components.seconds) s." }
}

/// Slows the guessing of passwords at one address. A network is an IPv4 address or the /64 of an IPv6 one.
///
/// 1. After two refused passwords for a user name in a realm from one network, further attempts for it run one at a time, each after a
///    pause of 1, 2, 4, then 5 s; five may wait.
/// 2. After 30 refused passwords within a minute in a realm from one network, each further attempt there pauses 5 s; 20 may do so at
///    a time.
/// 3. A login without a user name, as of a script that asks for a PIN, falls under the second rule alone.
/// 4. Procedures of adapters name no user. After 30 responses within a minute that ask for a login, such responses of the adapter to the network, or
///    to a checked user, come 5 s late, 20 at a time; while 20 are late, further calls are refused.
///
/// In the first two the pause precedes the check of the password, so that right passwords wait as long as wrong ones, and an attempt in progress
/// counts as refused until its outcome is known: the next one waits for it. Only refused passwords count, and no count is shared by realms or
/// networks.
package final class LoginThrottle: Sendable {
    private struct Policy {
        let name: String
        /// The number of refusals within ``window`` after which attempts are slow.
        let refusals: Int
        let window: Duration
        /// The pauses of slow attempts, by the number of refusals since; the last one for all further ones.
        let pauses: [Duration]
        /// The number of slow attempts that may pause or run at the same time.
        let parallel: Int
        /// The number of slow attempts that may wait for their turn.
        let waiting: Int

        static let user = Policy(
            name: "attempts for one user name from one address", refusals: 2, window: .seconds(300),
            pauses: [.seconds(1), .seconds(2), .seconds(4), .seconds(5)], parallel: 1, waiting: 5)

        static func network(_ refusals: Int) -> Policy {
            Policy(
                name: "limits.loginsPerAddress", refusals: refusals, window: .seconds(60), pauses: [.seconds(5)],
                parallel: 20, waiting: 0)
        }

        static func adapter(_ refusals: Int) -> Policy {
            Policy(
                name: "limits.loginsPerAddress", refusals: refusals, window: .seconds(60), pauses: [.seconds(5)],
                parallel: 20, waiting: .max)
        }

        var refusal: TooManyLoginsError { TooManyLoginsError(limit: name, retryAfter: pauses.last ?? .zero) }
    }

    private struct Key: Hashable {
        let realm: String
        let network: String
        /// `nil` for all names from the network.
        var user: String?
        var isAdapter = false
    }

    /// The attempts of one key.
    private struct Attempts {
        /// The uptimes of the last refusals, as far as they count.
        var refusals: [Duration] = []
        /// The number of attempts that pause or run.
        var running = 0
        /// Attempts that wait for their turn; each gets its pause.
        var waiting: [Promise<Result<Duration, TooManyLoginsError>>] = []

        var isIdle: Bool { running == 0 && waiting.isEmpty }

        mutating func forget(_ policy: Policy, at now: Duration) {
            refusals.removeAll { now - $0 >= policy.window }
        }

        func isSlow(_ policy: Policy) -> Bool { refusals.count >= policy.refusals }

        mutating func note(refusalAt now: Duration, _ policy: Policy) {
            refusals.append(now)
            // More of them change nothing.
            if refusals.count >= policy.refusals + policy.pauses.count { refusals.removeFirst() }
        }

        /// Begins an attempt if it is its turn.
        ///
        /// - Returns: its pause; `nil` when it must wait.
        mutating func begin(_ policy: Policy) -> Duration? {
            guard isSlow(policy) else {
                guard refusals.count + running < policy.refusals else { return nil }
                running += 1
                return .zero
            }
            guard running < policy.parallel else { return nil }
            running += 1
            return policy.pauses[min(refusals.count - policy.refusals, policy.pauses.count - 1)]
        }
    }

    /// The most attempts of a network that may be under way or wait, whatever the names: a directory that hangs must not fill the
    /// memory.
    private static let mostUnfinished = 1000

    private struct State {
        /// The keys with attempts that pause, run or wait. None of them may be forgotten.
        var busy: [Key: Attempts] = [:]
        /// The refusals of other keys.
        var idle: BoundedTable<Key, [Duration]>

        var count: Int { busy.count + idle.count }

        /// Changes the attempts of a key after those refusals are forgotten that no longer count.
        mutating func update<Value>(
            _ key: Key, _ policy: Policy, at now: Duration, _ change: (inout Attempts) -> Value
        ) -> Value {
            var own = busy.removeValue(forKey: key) ?? Attempts(refusals: idle.removeValue(forKey: key) ?? [])
            own.forget(policy, at: now)
            defer {
                if !own.isIdle {
                    busy[key] = own
                } else if !own.refusals.isEmpty {
                    idle[key] = own.refusals
                }
            }
            return change(&own)
        }
    }

    private let time: any TimeSource
    private let refusals: Int
    private let state: Mutex<State>
    /// Counts the attempts that have not ended.
    private let unfinished = NetworkBudget<String>(perNetwork: LoginThrottle.mostUnfinished)

    /// - Parameters:
    ///   - refusals: the number of refused passwords within a minute in a realm, or of responses of an adapter that ask for a login, after which
    ///     further ones of the network are slow (`limits.loginsPerAddress`).
    ///   - capacity: the largest number of remembered names, networks and adapters of networks without a current attempt. Beyond it,
    ///     those with the oldest last attempt are forgotten.
    package init(time: any TimeSource, refusals: Int = 30, capacity: Int = 100_000) {
        (self.time, self.refusals) = (time, refusals)
        state = Mutex(State(idle: BoundedTable(capacity: capacity)))
    }

    private func policy(of key: Key) -> Policy {
        key.user != nil ? .user : key.isAdapter ? .adapter(refusals) : .network(refusals)
    }

    /// The number of names, networks and adapters of networks that are remembered.
    var count: Int { state.withLock { $0.count } }

    /// The outcome of an attempt.
    package enum Outcome: Sendable {
        case accepted, refused
        /// The back end that knows the password could not be asked.
        case undecided
    }

    // MARK: Names and passwords

    /// Checks a password when its turn has come. It continues when the calling task is cancelled, so that a client that hangs up keeps its turn.
    ///
    /// - Parameters:
    ///   - user: the name that the login concerns; `nil` if nothing identifies it.
    ///   - check: checks the password, and returns its result with the outcome.
    /// - Throws: ``TooManyLoginsError``.
    package func attempt<Value: Sendable>(
        realm: String, user: String?, network: String, _ check: @escaping @Sendable () async -> (Value, Outcome)
    ) async throws(TooManyLoginsError) -> Value {
        let all = Key(realm: realm, network: network)
        let keys = (user.map { [Key(realm: realm, network: network, user: Self.folded($0))] } ?? []) + [all]
        guard unfinished.admit(1, of: network) == nil else { throw policy(of: all).refusal }
        let task = Task { () -> Result<Value, TooManyLoginsError> in
            defer { unfinished.release(1, of: network) }
            var pause = Duration.zero
            for (index, key) in keys.enumerated() {
                switch await begin(key) {
                case .success(let own): pause = max(pause, own)
                case .failure(let error):
                    for begun in keys[..<index] { end(begun, .undecided) }
                    return .failure(error)
                }
            }
            if pause > .zero { try? await time.sleep(untilUptime: time.uptime + pause) }
            let (value, outcome) = await check()
            for key in keys { end(key, outcome) }
            return .success(value)
        }
        return try await task.value.get()
    }

    // MARK: Procedures

    /// Refuses a call of an adapter's procedure while too many responses to the network are late.
    ///
    /// - Throws: ``TooManyLoginsError``.
    func admitCall(of adapter: String, by caller: String) throws(TooManyLoginsError) {
        let key = Key(realm: adapter, network: caller, isAdapter: true)
        let policy = policy(of: key)
        let isFull = state.withLock { ($0.busy[key]?.running ?? 0) >= policy.parallel }
        if isFull { throw policy.refusal }
    }

    /// Counts a response that asks for a login, and returns when it may be sent. The response keeps its turn when the calling task is cancelled.
    func recordLoginRequest(by adapter: String, of caller: String) async {
        let key = Key(realm: adapter, network: caller, isAdapter: true)
        let (policy, now) = (policy(of: key), time.uptime)
        let isLate = state.withLock { state in
            state.update(key, policy, at: now) { own -> Bool in
                let isLate = own.isSlow(policy)
                own.note(refusalAt: now, policy)
                return isLate
            }
        }
        guard isLate else { return }
        await Task {
            guard case .success(let pause) = await begin(key) else { return }
            try? await time.sleep(untilUptime: time.uptime + pause)
            // Counted again, so that the responses behind it stay late.
            end(key, .refused)
        }.value
    }

    // MARK: Turns

    private func begin(_ key: Key) async -> Result<Duration, TooManyLoginsError> {
        let (policy, now) = (policy(of: key), time.uptime)
        let promise = Promise<Result<Duration, TooManyLoginsError>>()
        state.withLock { state in
            state.update(key, policy, at: now) { own in
                if let pause = own.begin(policy) {
                    promise.fulfill(.success(pause))
                } else if own.isSlow(policy), own.waiting.count >= policy.waiting {
                    promise.fulfill(.failure(policy.refusal))
                } else {
                    own.waiting.append(promise)
                }
            }
        }
        return await promise.get()
    }

    private func end(_ key: Key, _ outcome: Outcome) {
        let (policy, now) = (policy(of: key), time.uptime)
        state.withLock { state in
            state.update(key, policy, at: now) { own in
                own.running -= 1
                switch outcome {
                case .refused: own.note(refusalAt: now, policy)
                // Somebody with an account must not make room for guesses of others' passwords.
                case .accepted: if key.user != nil { own.refusals = [] }
                case .undecided: break
                }
                while !own.waiting.isEmpty, let pause = own.begin(policy) {
                    own.waiting.removeFirst().fulfill(.success(pause))
                }
                while own.isSlow(policy), own.waiting.count > policy.waiting {
                    own.waiting.removeLast().fulfill(.failure(policy.refusal))
                }
            }
        }
    }

    /// One spelling for those that directories take for the same user: without spaces, invisible characters, accents and differences
    /// of case and width.
    static func folded(_ user: String) -> String {
        // Combining characters are removed first: sorting many of them takes long.
        let plain = visible(user.unicodeScalars.prefix(1024)).decomposedStringWithCompatibilityMapping.lowercased()
        return String(visible(plain.unicodeScalars).prefix(256))
    }

    private static func visible(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var result = String.UnicodeScalarView()
        result.append(
            contentsOf: scalars.lazy.filter { scalar in
                switch scalar.properties.generalCategory {
                case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .nonspacingMark,
                    .enclosingMark, .spacingMark, .unassigned, .privateUse:
                    false
                default: !scalar.properties.isDefaultIgnorableCodePoint
                }
            })
        return String(result)
    }
}
