/// The settings of an ``OutboxWorker``. The defaults suit one server with an embedded store.
public struct OutboxWorkerSettings: Sendable, Hashable {
    /// The number of concurrent attempts on each channel: a service that does not respond fills only its own channel.
    public var concurrency: Int
    /// The number of deliveries of a channel that are claimed at once. They wait in memory for an attempt; a lease covers the wait.
    public var batchSize: Int
    /// The lifetime of a claim if the worker ends without releasing it. Long enough for a batch whose attempts all take as long as they may.
    public var lease: Duration
    /// The interval between two heartbeats, where several servers share the store.
    public var heartbeat: Duration
    /// The time without a heartbeat after which other servers take over what a worker holds. The worker itself begins no attempt from
    /// five sixths of that time on.
    public var silence: Duration
    /// The timeout of an attempt, after which it is abandoned and tried again; less than the lease.
    public var attemptTimeout: Duration
    public var retry: RetryPolicy
    /// The longest interval between reads of the store, so that the worker finds deliveries of other processes.
    public var longestSleep: Duration
    /// The wait after the store has failed.
    public var storePause: Duration
    /// The time within which running attempts may end when the worker stops.
    public var gracePeriod: Duration
    /// The time after the end of the time to live within which a first attempt may still begin: to the push services, a time to live of 0 means "now
    /// or never", and not "never".
    public var firstAttemptGrace: Duration
    /// The least time between two recordings of results in the store, unless there is nothing else to do: a commit costs the same for one as for a
    /// hundred.
    public var recordInterval: Duration
    /// The time for which ended deliveries are kept.
    public var retention: Duration
    /// The largest number of ended deliveries that are kept, so that a busy server does not fill its disk within the retention. It may be exceeded by
    /// a tenth for a while.
    public var maximumEnded: Int
    /// The interval between two purges of older deliveries.
    public var purgeInterval: Duration

    public init(
        concurrency: Int = 500, batchSize: Int = 2000, lease: Duration = .seconds(600),
        heartbeat: Duration = .seconds(10), silence: Duration = .seconds(30),
        attemptTimeout: Duration = .seconds(60), retry: RetryPolicy = RetryPolicy(),
        longestSleep: Duration = .seconds(1), storePause: Duration = .seconds(1), gracePeriod: Duration = .seconds(10),
        firstAttemptGrace: Duration = .seconds(10), recordInterval: Duration = .milliseconds(10),
        retention: Duration = .seconds(7 * 24 * 3600), maximumEnded: Int = 1_000_000,
        purgeInterval: Duration = .seconds(3600)
    ) {
        self.concurrency = concurrency
        self.batchSize = batchSize
        self.lease = lease
        self.heartbeat = heartbeat
        self.silence = silence
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

    /// The interval between two queries for the store's depth while the worker is busy.
    var depthInterval: Duration { .seconds(5) }

    /// The number of deliveries in memory at which more are claimed.
    var lowWaterMark: Int { batchSize / 4 }
}
