import Core
import Foundation
import Logging
import PushModel
import Synchronization
import Tracing

/// The attempts at the deliveries of one channel. A limited number run at the same time, and the others are queued.
///
/// The task that ends an attempt begins the next, so that thousands a second need neither a task each nor the worker,
/// which only brings deliveries and takes reports.
final class AttemptPool: Sendable {
    let settings: OutboxWorkerSettings
    private let mediator: any Mediator
    let time: any TimeSource
    let logger: Logger
    let limiter: LogLimiter
    let metrics: ChannelMetrics
    private let tracer: (any Tracer)?
    private let onDeviceGone: @Sendable (Delivery, String, Date?) async -> UnregisteredDevice
    /// Wakes the worker.
    private let wake: @Sendable () -> Void
    private let state: Mutex<AttemptPoolState>

    init(
        settings: OutboxWorkerSettings, mediator: any Mediator, time: any TimeSource, logger: Logger,
        metrics: ChannelMetrics, tracer: (any Tracer)?,
        generator: any RandomNumberGenerator & Sendable,
        onDeviceGone: @escaping @Sendable (Delivery, String, Date?) async -> UnregisteredDevice,
        wake: @escaping @Sendable () -> Void
    ) {
        self.settings = settings
        self.mediator = mediator
        self.time = time
        self.logger = logger
        limiter = LogLimiter(logger: logger, time: time)
        self.metrics = metrics
        self.tracer = tracer
        self.onDeviceGone = onDeviceGone
        self.wake = wake
        state = Mutex(AttemptPoolState(generator: generator, clock: ClockJumpDetector(time)))
    }

    /// The state on which the worker decides.
    var status: AttemptPoolStatus {
        state.withLock { state in
            AttemptPoolStatus(
                queued: state.queued.count, running: state.running.count, reports: state.reports.count,
                deadline: state.firstDeadline)
        }
    }

    /// Takes deliveries that were claimed again because their lease had ended. Those in the pool get the new claim.
    ///
    /// - Returns: the ids of those in the pool: queued, being sent, or about to be recorded.
    func renew(_ deliveries: [Delivery]) -> Set<UUID> {
        state.withLock { state in
            let renewed = Dictionary(deliveries.map { ($0.id, $0) }) { first, _ in first }
            var held: Set<UUID> = []
            for (number, attempt) in state.running {
                guard let delivery = renewed[attempt.delivery.id] else { continue }
                state.running[number]?.delivery.claim = delivery.claim
                held.insert(delivery.id)
            }
            held.formUnion(state.reports.renew(renewed))
            for index in state.queued.indices {
                guard var delivery = renewed[state.queued[index].id] else { continue }
                // No attempt was made for this claim.
                delivery.attempts = state.queued[index].attempts
                state.queued[index] = delivery
                held.insert(delivery.id)
            }
            return held
        }
    }

    /// Adds claimed deliveries, and starts as many as may be under way.
    func add(_ deliveries: [Delivery]) {
        state.withLock { $0.queued += deliveries }
        fill()
    }

    /// Takes how attempts have ended since this was last asked.
    func takeReports() -> [DeliveryReport] {
        state.withLock { state in
            let reports = state.reports
            state.reports = []
            return reports
        }
    }

    /// Returns true if, since the last call, the lease of a delivery ran out before its turn came.
    func takeLapsed() -> Bool {
        state.withLock { state in
            defer { state.hasLapsed = false }
            return state.hasLapsed
        }
    }

    /// Checks whether the clock was set.
    func detectClockJump() {
        state.withLock { $0.clock.look(time) }
    }

    /// Abandons the attempts that take too long, so that a mediator that hangs blocks neither them nor the others.
    func abandonOverdueAttempts() {
        let uptime = time.uptime
        let reason = "no response from the push service within \(settings.attemptTimeout.inSeconds) s"
        let outcome = MediatorOutcome(.retry(after: nil, reason: reason), requests: [])
        let given = state.withLock { state in
            let overdue = state.removeOverdue(at: uptime)
            for attempt in overdue { take(report(outcome, of: attempt.delivery, &state), of: attempt.delivery, &state) }
            return overdue
        }
        guard !given.isEmpty else { return }
        for attempt in given { attempt.task.cancel() }
        fill()
    }

    /// Begins attempts until that uptime. Without a call, there is no such limit.
    func begin(until uptime: Duration) {
        state.withLock { $0.beginsUntil = uptime }
        fill()
    }

    /// Discards the queued deliveries, so that no further attempt begins.
    func discardQueued() {
        state.withLock { $0.queued = [] }
    }

    /// Cancels what is under way.
    ///
    /// - Returns: how many attempts that were.
    func abandon() -> Int {
        let abandoned = state.withLock { state in
            let running = state.running.values.map(\.task)
            state.running = [:]
            return running
        }
        for task in abandoned { task.cancel() }
        return abandoned.count
    }

    // MARK: Attempts

    /// Starts what may be under way and is not.
    private func fill() {
        state.withLock { state in
            while state.running.count < settings.concurrency, let (number, delivery) = next(&state) {
                let task = Task.detached { await self.run(number, delivery) }
                state.begin(number, delivery, deadline: deadline(of: delivery), task)
            }
        }
    }

    /// Makes one attempt after the other, until there is none to make.
    private func run(_ number: Int, _ delivery: Delivery) async {
        var (number, delivery) = (number, delivery)
        while true {
            let start = time.uptime
            var outcome = await attempt(delivery)
            metrics.attempt(took: time.uptime - start)
            if case .deviceGone(let reason, let asOf) = outcome.ending,
                await onDeviceGone(delivery, reason, asOf) == .hasOtherToken
            {
                outcome = MediatorOutcome(
                    .retry(after: nil, reason: "\(reason); the app has another token since, which is tried next"),
                    serviceID: outcome.serviceID, requests: outcome.requests)
            }
            guard let next = ended(number, outcome) else { return }
            (number, delivery) = next
        }
    }

    private func attempt(_ delivery: Delivery) async -> MediatorOutcome {
        guard let tracer else { return await mediator.deliver(delivery) }
        let span = tracer.span(
            "deliver \(delivery.target.channel)", in: .notification(delivery.notificationID), ofKind: .client)
        let outcome = await ServiceContext.withValue(span.context) { await mediator.deliver(delivery) }
        span.end(failure: outcome.ending.failure)
        return outcome
    }

    /// Takes an attempt's outcome, unless the attempt was abandoned, and returns the next delivery.
    private func ended(_ number: Int, _ outcome: MediatorOutcome) -> (number: Int, delivery: Delivery)? {
        let (following, wakes) = state.withLock { state in
            guard let attempt = state.running.removeValue(forKey: number) else {
                return ((number: Int, delivery: Delivery)?.none, false)
            }
            let reportsBefore = state.reports.count
            take(report(outcome, of: attempt.delivery, &state), of: attempt.delivery, &state)
            let following = next(&state)
            if let following {
                state.begin(
                    following.number, following.delivery, deadline: deadline(of: following.delivery), attempt.task)
            }
            return (following, state.isNews(reportsBefore: reportsBefore, settings))
        }
        if wakes { wake() }
        return following
    }

    /// The next delivery that is worth an attempt.
    private func next(_ state: inout AttemptPoolState) -> (number: Int, delivery: Delivery)? {
        if let end = state.beginsUntil, time.uptime >= end { return nil }
        while let delivery = state.queued.popFirst() {
            let now = time.now
            if delivery.due <= now {
                // The lease ran out while it waited here, so it may be somebody else's now.
                state.hasLapsed = true
            } else if isTooLate(delivery, at: now, &state.clock) {
                take(DeliveryReport(on: delivery, ending: .expired, date: now), of: delivery, &state)
            } else if let withdrawal = delivery.withdrawal {
                take(
                    DeliveryReport(on: delivery, ending: .refused(reason: withdrawal), date: now), of: delivery, &state)
            } else {
                state.attemptsStarted += 1
                return (state.attemptsStarted, delivery)
            }
        }
        return nil
    }

    private func deadline(of delivery: Delivery) -> Duration {
        time.uptime + min(settings.attemptTimeout, .seconds(delivery.due.timeIntervalSince(time.now)))
    }

    private func isTooLate(_ delivery: Delivery, at now: Date, _ clock: inout ClockJumpDetector) -> Bool {
        let grace = delivery.attempts <= 1 ? settings.firstAttemptGrace.inSeconds : 0
        guard now >= delivery.expiresAt.addingTimeInterval(grace) else { return false }
        // It may be the clock that is too early.
        clock.look(time)
        return now >= clock.expiry(of: delivery).addingTimeInterval(grace)
    }
}

extension [DeliveryReport] {
    /// Sets the claims of the reports of deliveries that were claimed again.
    ///
    /// - Returns: the ids of those deliveries that have reports here.
    mutating func renew(_ deliveries: [UUID: Delivery]) -> Set<UUID> {
        var found: Set<UUID> = []
        for index in indices {
            guard let delivery = deliveries[self[index].id] else { continue }
            self[index].claim = delivery.claim
            found.insert(delivery.id)
        }
        return found
    }
}
