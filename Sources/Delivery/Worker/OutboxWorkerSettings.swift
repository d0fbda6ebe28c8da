/// How an ``OutboxWorker`` works. The defaults suit one server with an embedded store.
public struct OutboxWorkerSettings: Sendable, Hashable {
    /// How many attempts may be under way at the same time.
    public var concurrency: Int
    /// How many deliveries are claimed at once. They wait in memory for an attempt; a lease covers the wait.
    public var batchSize: Int
    /// How long a claim holds if the worker does not live to give it back.
    public var lease: Duration
    /// How long an attempt may take before it is given up and tried again; less than the lease.
    public var attemptTimeout: Duration
    public var retry: RetryPolicy
    /// The longest the worker goes without looking at the store, so that it sees what other processes have put there.
    public var longestSleep: Duration
    /// The wait after the store has failed.
    public var storePause: Duration
    /// How long what is under way may take to end when the worker stops.
    public var gracePeriod: Duration
    /// How late a first attempt may begin although the time to live has run out: a time to live of 0 means now or never
    /// to the push services, and not never.
    public var firstAttemptGrace: Duration
    /// How long ended deliveries are kept.
    public var retention: Duration
    /// How often older ones are looked for.
    public var purgeInterval: Duration

    public init(
        concurrency: Int = 64, batchSize: Int = 500, lease: Duration = .seconds(120),
        attemptTimeout: Duration = .seconds(60), retry: RetryPolicy = RetryPolicy(),
        longestSleep: Duration = .seconds(1), storePause: Duration = .seconds(1), gracePeriod: Duration = .seconds(10),
        firstAttemptGrace: Duration = .seconds(10), retention: Duration = .seconds(7 * 24 * 3600),
        purgeInterval: Duration = .seconds(3600)
    ) {
        self.concurrency = concurrency
        self.batchSize = batchSize
        self.lease = lease
        self.attemptTimeout = attemptTimeout
        self.retry = retry
        self.longestSleep = longestSleep
        self.storePause = storePause
        self.gracePeriod = gracePeriod
        self.firstAttemptGrace = firstAttemptGrace
        self.retention = retention
        self.purgeInterval = purgeInterval
    }
}
