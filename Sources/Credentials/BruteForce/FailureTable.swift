/// The failed logins of many users or addresses. A full table evicts the records with the fewest failures first, the oldest of them
/// first, so that made-up names do not evict the user whose password is being guessed.
struct FailureTable: Sendable {
    let policy: FailureRecord.Policy
    let capacity: Int
    private var records: [String: FailureRecord] = [:]

    init(policy: FailureRecord.Policy, capacity: Int) {
        (self.policy, self.capacity) = (policy, capacity)
    }

    var count: Int { records.count }

    mutating func wait(for key: String, at now: FailureRecord.Instant, isCertain: Bool = true) -> Duration? {
        records[key]?.wait(at: now, policy, isCertain: isCertain)
    }

    /// Whether more logins failed that count still.
    mutating func hasFailed(_ key: String, moreThan count: Int, at now: FailureRecord.Instant) -> Bool {
        records[key]?.hasFailed(moreThan: count, at: now, policy) ?? false
    }

    mutating func forgive(_ key: String, at now: FailureRecord.Instant) {
        guard var record = records[key] else { return }
        record.forgive()
        records[key] = record.isEmpty(at: now, policy) ? nil : record
    }

    mutating func begin(_ key: String, at now: FailureRecord.Instant) {
        if records[key] == nil { makeRoom(at: now) }
        records[key, default: FailureRecord(at: now)].begin(at: now)
    }

    /// Ends what ``begin(_:at:)`` began.
    mutating func end(_ key: String, at now: FailureRecord.Instant) {
        guard var record = records[key] else { return }
        record.end()
        records[key] = record.isEmpty(at: now, policy) ? nil : record
    }

    mutating func note(_ outcome: LoginAttempt.Outcome, of key: String, clears: Bool, at now: FailureRecord.Instant) {
        if records[key] == nil {
            guard outcome == .failed else { return }
            makeRoom(at: now)
        }
        var record = records[key] ?? FailureRecord(at: now)
        switch outcome {
        case .failed: record.fail(at: now, policy)
        case .succeeded: if clears { record.clear() }
        case .undecided: break
        }
        records[key] = record.isEmpty(at: now, policy) ? nil : record
    }

    private mutating func makeRoom(at now: FailureRecord.Instant) {
        guard records.count >= capacity else { return }
        for key in Array(records.keys) where records[key]?.isEmpty(at: now, policy) == true { records[key] = nil }
        guard records.count >= capacity else { return }
        // A tenth at once, so that it is rarely needed to sort.
        let least = records.sorted { ($0.value.weight, $0.value.touched) < ($1.value.weight, $1.value.touched) }
        for (key, _) in least.prefix(max(1, capacity / 10)) { records[key] = nil }
    }
}
