/// The failed logins of one user or one address.
struct FailureRecord: Sendable {
    /// What counts how.
    struct Policy: Sendable {
        let failures: Int
        let window: Duration
        let firstDelay: Duration
        let longestDelay: Duration

        /// How long after the last failure or refusal all is forgotten, once it came to refusals.
        var quietTime: Duration { max(window, longestDelay) }

        /// - Parameter step: how many delays there were before.
        func delay(_ step: Int) -> Duration {
            step < 30 ? min(longestDelay, firstDelay * (1 << step)) : longestDelay
        }
    }

    typealias Instant = ContinuousClock.Instant

    /// Those within the window, oldest first.
    private var failures: [Instant] = []
    /// Logins that are being checked.
    private(set) var pending = 0
    private var refusedUntil: Instant?
    private var delays = 0
    private(set) var touched: Instant

    init(at now: Instant) {
        touched = now
    }

    /// How long to refuse further tries; `nil` for not at all.
    ///
    /// - Parameter isCertain: whether it is surely a login. While none has failed, four times as many other calls may be under way.
    mutating func wait(at now: Instant, _ policy: Policy, isCertain: Bool = true) -> Duration? {
        forget(at: now, policy)
        if let refusedUntil, refusedUntil > now { return refusedUntil - now }
        // Tries that are being checked count as failures until they are not, or many at once would all get through.
        let isQuiet = delays == 0 && failures.isEmpty
        let most = isQuiet && !isCertain ? 4 * policy.failures : policy.failures
        let allowed = delays > 0 ? 1 : most - failures.count
        return pending < allowed ? nil : policy.firstDelay
    }

    mutating func begin(at now: Instant) {
        pending += 1
        touched = max(touched, now)
    }

    mutating func end() {
        pending = max(0, pending - 1)
    }

    mutating func fail(at now: Instant, _ policy: Policy) {
        forget(at: now, policy)
        touched = now
        // Tries that were admitted before the refusals began are one guess more, and no reason to refuse for longer.
        if let refusedUntil, refusedUntil > now { return }
        failures.append(now)
        guard delays > 0 || failures.count >= policy.failures else { return }
        failures = []
        refusedUntil = now + policy.delay(delays)
        delays += 1
    }

    /// Takes the last failure back.
    mutating func forgive() {
        if failures.popLast() != nil { return }
        delays = max(0, delays - 1)
        if delays == 0 { refusedUntil = nil }
    }

    mutating func clear() {
        (failures, refusedUntil, delays) = ([], nil, 0)
    }

    /// The priority with which a full table keeps the record: 2 after refusals, 1 after several failures, else 0.
    var weight: Int { delays > 0 ? 2 : failures.count > 1 ? 1 : 0 }

    /// Whether nothing is worth keeping.
    mutating func isEmpty(at now: Instant, _ policy: Policy) -> Bool {
        forget(at: now, policy)
        return pending == 0 && failures.isEmpty && delays == 0
    }

    /// Whether more logins failed that count still.
    mutating func hasFailed(moreThan count: Int, at now: Instant, _ policy: Policy) -> Bool {
        forget(at: now, policy)
        return failures.count > count || delays > 0
    }

    private mutating func forget(at now: Instant, _ policy: Policy) {
        failures.removeAll { now - $0 >= policy.window }
        if let end = refusedUntil, now - max(end, touched) >= policy.quietTime {
            (refusedUntil, delays) = (nil, 0)
        }
    }
}
