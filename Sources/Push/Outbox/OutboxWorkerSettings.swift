/// How an ``OutboxWorker`` works. The defaults suit one server with an embedded store.
public struct OutboxWorkerSettings: Sendable, Hashable {
    /// How many attempts may be under way at the same time on each channel: a service that does not answer has its own
    /// filled, and no other's.
    public var concurrency: Int
    /// How many deliveries of a channel are claimed at once. They wait in memory for an attempt; a lease covers the wait.
    public var batchSize: Int
    /// How long a claim holds if the worker does not live to give it back. Long enough for a batch whose attempts all take
    /// as long as they may.
    public var lease: Duration
    /// How long an attempt may take before it is given up and tried again; less than the lease.
    public var attemptTimeout: Duration
    public var retry: RetryPolicy
    /// The longest interval between reads of the store, so that the worker finds deliveries of other processes.
    public var longestSleep: Duration
    /// The wait after the store has failed.
    public var storePause: Duration
    /// How long what is under way may take to end when the worker stops.
    public var gracePeriod: Duration
    /// How late a first attempt may begin although the time to live has run out: a time to live of 0 means now or never
    /// to the push services, and not never.
    public var firstAttemptGrace: Duration
    /// How long after the store was last given how attempts ended it is given more, unless there is nothing else to do:
    /// a commit costs the same for one as for a hundred.
    public var recordInterval: Duration
    /// How long ended deliveries are kept.
    public var retention: Duration
    /// How many ended deliveries are kept at most, so that a busy server does not fill its disk within the retention. There
    /// may be a tenth more for a while.
    public var maximumEnded: Int
    /// How often older ones are looked for.
    public var purgeInterval: Duration

    public init(
        concurrency: Int = 500, batchSize: Int = 2000, lease: Duration = .seconds(600),
        attemptTimeout: Duration = .seconds(60), retry: RetryPolicy = RetryPolicy(),
        longestSleep: Duration = .seconds(1), storePause: Duration = .seconds(1), gracePeriod: Duration = .seconds(10),
        firstAttemptGrace: Duration = .seconds(10), recordInterval: Duration = .milliseconds(10),
        retention: Duration = .seconds(7 * 24 * 3600), maximumEnded: Int = 1_000_000,
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
        self.recordInterval = recordInterval
        self.retention = retention
        self.maximumEnded = maximumEnded
        self.purgeInterval = purgeInterval
    }

    /// How often the store is asked how full it is while the worker is at work.
    var depthInterval: Duration { .seconds(5) }

    /// The number of deliveries in memory at which more are claimed.
    var lowWaterMark: Int { batchSize / 4 }
}
