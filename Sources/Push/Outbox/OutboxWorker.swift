public import Core
public import Logging
public import PushModel
import Synchronization
public import Tracing

public import struct Foundation.Date

/// Takes deliveries from the outbox, passes them to a mediator, and records the results.
///
/// From `notify*` on, a delivery is delivered, refused or expired, never lost: the worker claims it with a lease and keeps every result until it is
/// recorded. A restarted worker immediately releases the deliveries that it had claimed under the same name. If several servers share the store,
/// another one releases them once the worker has been silent for ``OutboxWorkerSettings/silence``.
///
/// When the store fails, the worker logs that, pauses, and goes on. It is idle without polling: it sleeps until the next delivery is due, until
/// ``wake()``, or until ``OutboxWorkerSettings/longestSleep`` is over, when it asks the store once whether another process has added deliveries.
///
/// A clock that is set while the worker runs loses nothing and repeats nothing. Deliveries that were created before the clock
/// was set forward keep their time to live. Retries and leases end at the times that were stored.
public actor OutboxWorker {
    let name: String
    let pressure: OutboxBackpressure
    let time: any TimeSource
    let logger: Logger
    let settings: OutboxWorkerSettings

    let outbox: any Outbox
    /// For the calls of the outbox, which block, that deliveries wait for. One at a time: the store writes one transaction at a time.
    let storeThread = ThreadPool(name: "lamplighter.outbox", threads: 1)
    /// For the purge, which takes long and which nobody waits for.
    let purgeThread = ThreadPool(name: "lamplighter.outbox-purge", threads: 1)
    /// One for each channel.
    let pools: [DeliveryChannel: AttemptPool]

    private var hasStarted = false

    /// The reports that could not be recorded yet.
    var reports: [DeliveryReport] = []
    /// The time of the last recorded reports; as all times below, in uptime.
    var lastRecord: Duration?
    /// The channels of which a claim could find something.
    var mayBeDue = Set<DeliveryChannel>.all
    /// True if the last claim found nothing.
    var lastClaimWasEmpty = false
    /// The time of the next query for due deliveries, unless some are known to be due.
    var nextLook = Duration.zero
    /// The time of the next heartbeat; `nil` for a store that only this server uses.
    var nextHeartbeat: Duration? = .zero
    /// The time of the next query for the store's depth.
    var nextDepth = Duration.zero
    /// The end of the pause after a failure of the store.
    var storePausedUntil = Duration.zero
    /// The number of failures since the store last worked.
    var storeFailures = 0
    let log: LogLimiter
    var nextPurge = Duration.zero
    var purgeTask: Task<Void, Never>?
    /// The number of deliveries that have ended since the last purge.
    var endedSincePurge = 0

    /// Ends a sleep, or the next one. A signal that comes while nobody sleeps is kept; several count as one.
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let stopRequested = Atomic(false)
    private let hasNews = Atomic(false)

    /// - Parameters:
    ///   - name: the worker's name in the store. The same after each restart, and different from that of any other
    ///     worker that uses the store: deliveries claimed under this name are released at the start.
    ///   - pressure: counts the deliveries that wait and end.
    ///   - logger: gets refusals and expiries (warning), store failures (error), attempts to be repeated (info) and
    ///     deliveries (debug); no tokens and no contents.
    ///   - metrics: records how attempts end; nothing by default.
    ///   - tracer: makes a span for each attempt; `nil` for none.
    ///   - generator: decides how long to wait before a repeated attempt.
    ///   - onDeviceGone: called when a service no longer knows the device, with the delivery whose subscription at that
    ///     time should be removed, the service's reason, and the time since when it does not know the device, if it
    ///     names one. It is part of the attempt; it may be called again for the same delivery. When it returns
    ///     ``UnregisteredDevice/hasOtherToken``, the delivery is tried again.
    public init(
        name: String, outbox: any Outbox, mediator: any Mediator, pressure: OutboxBackpressure, time: any TimeSource,
        logger: Logger, settings: OutboxWorkerSettings = OutboxWorkerSettings(),
        metrics: DeliveryMetrics = DeliveryMetrics(), tracer: (any Tracer)? = nil,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        onDeviceGone: @escaping @Sendable (Delivery, _ reason: String, _ asOf: Date?) async -> UnregisteredDevice = {
            _, _, _ in
            .settled
        }
    ) {
        self.name = name
        self.outbox = outbox
        self.pressure = pressure
        self.time = time
        self.logger = logger
        log = LogLimiter(logger: logger, time: time)
        self.settings = settings
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.signals = signals
        self.signal = signal
        pools = Dictionary(
            uniqueKeysWithValues: DeliveryChannel.allCases.map { channel in
                let pool = AttemptPool(
                    settings: settings, mediator: mediator, time: time, logger: logger,
                    metrics: metrics.channel(channel), tracer: tracer, generator: generator,
                    onDeviceGone: onDeviceGone, wake: { signal.yield() })
                return (channel, pool)
            })
    }

    /// Works until ``stop()``, or until the calling task is cancelled, which stops without grace.
    ///
    /// Before it returns, running attempts may end within ``OutboxWorkerSettings/gracePeriod``, and the rest are returned to the outbox. A worker
    /// runs once: a second call returns at once.
    public func run() async {
        guard !hasStarted else { return }
        hasStarted = true
        await withTaskCancellationHandler {
            await releaseClaimsOfEarlierRun()
            while !mustStop { await step() }
            await finish()
        } onCancel: {
            signal.yield()
        }
    }

    /// Sends nothing until ``stop()``, or until the calling task is cancelled: in place of ``run()``.
    ///
    /// Deliveries that an earlier run of this worker held are returned to the outbox, so that they can be cancelled.
    public func hold() async {
        await withTaskCancellationHandler {
            await releaseClaimsOfEarlierRun()
            while !mustStop { await sleep(until: time.uptime + settings.longestSleep) }
        } onCancel: {
            signal.yield()
        }
    }

    /// Makes ``run()`` end. Returns at once, from any thread; also before `run()`.
    public nonisolated func stop() {
        stopRequested.store(true, ordering: .sequentiallyConsistent)
        signal.yield()
    }

    /// Says that something has been put into the outbox. Returns at once, from any thread.
    public nonisolated func wake() {
        hasNews.store(true, ordering: .sequentiallyConsistent)
        signal.yield()
    }

    /// Returns when the worker has time: at once, unless something blocks its thread. The store may be slow meanwhile.
    public func respond() {}

    var mustStop: Bool { stopRequested.load(ordering: .sequentiallyConsistent) || Task.isCancelled }

    /// Makes ``sleep(until:)`` end.
    func continueWorking() {
        signal.yield()
    }

    /// Returns when something has happened, or when `deadline` has come.
    func sleep(until deadline: Duration) async {
        let alarm = Task.detached { [time, signal] in
            do { try await time.sleep(untilUptime: deadline) } catch { return }
            signal.yield()
        }
        for await _ in signals { break }
        alarm.cancel()
    }

    /// Does all there is to do, then sleeps until there is more.
    private func step() async {
        if hasNews.exchange(false, ordering: .sequentiallyConsistent) { mayBeDue = .all }
        for pool in pools.values {
            pool.detectClockJump()
            pool.abandonOverdueAttempts()
        }
        await runStoreStep()
        purgeWhenDue()
        if let deadline = nextDeadline { await sleep(until: deadline) }
    }

    /// The latest time at which there will be work; `nil` when there is work now.
    private var nextDeadline: Duration? {
        let uptime = time.uptime
        let statuses = pools.mapValues(\.status)
        var deadlines = statuses.values.compactMap(\.deadline)
        // A purge that is still running when the next is due does not wake the worker: the next check comes soon.
        if purgeTask == nil || nextPurge > uptime { deadlines.append(nextPurge) }
        if uptime < storePausedUntil {
            deadlines.append(storePausedUntil)
        } else if !claimable(statuses).isEmpty {
            return nil
        } else {
            if let due = recordDue(statuses) { deadlines.append(due) }
            if let nextHeartbeat { deadlines.append(nextHeartbeat) }
            if statuses.values.contains(where: { hasFreeSlot($0) }) { deadlines.append(nextLook) }
        }
        // Nothing at all is to be waited for but an attempt's end, or news.
        let deadline = deadlines.min() ?? uptime + settings.longestSleep
        return deadline > uptime ? deadline : nil
    }
}
