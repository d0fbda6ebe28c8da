import Foundation
import Logging
import PushModel

/// One attempt that is under way.
struct Attempt {
    /// Tells it from an earlier attempt at the same delivery that was given up and ends late.
    let number: Int
    let delivery: Delivery
    /// When it is given up.
    let deadline: Duration
    let task: Task<Void, Never>
}

extension OutboxWorker {
    /// Starts attempts at what is queued, as many as may be under way.
    func startQueued() {
        while running.count < settings.concurrency, let delivery = queued.popFirst() {
            let now = time.now
            if delivery.due <= now {
                // The lease ran out while it waited here, so it may be somebody else's now.
                mayBeDue = true
            } else if isTooLate(delivery, at: now) {
                let report = DeliveryReport(id: delivery.id, ending: .expired, date: now, requests: delivery.requests)
                take(report, of: delivery)
            } else {
                start(delivery, leaseLeft: delivery.due.timeIntervalSince(now))
            }
        }
    }

    private func isTooLate(_ delivery: Delivery, at now: Date) -> Bool {
        let grace = delivery.attempts <= 1 ? settings.firstAttemptGrace.inSeconds : 0
        return now >= delivery.expiresAt.addingTimeInterval(grace)
    }

    private func start(_ delivery: Delivery, leaseLeft: Double) {
        attemptsStarted += 1
        let number = attemptsStarted
        let task = Task.detached { [mediator, onDeviceGone] in
            let outcome = await mediator.deliver(delivery)
            if case .deviceGone = outcome.ending { await onDeviceGone(delivery) }
            await self.ended(delivery.id, number, outcome)
        }
        let timeout = min(settings.attemptTimeout, .seconds(leaseLeft))
        running[delivery.id] = Attempt(
            number: number, delivery: delivery, deadline: time.uptime + timeout, task: task)
    }

    private func ended(_ id: UUID, _ number: Int, _ outcome: MediatorOutcome) {
        guard let attempt = running[id], attempt.number == number else { return }
        running[id] = nil
        take(report(outcome, of: attempt.delivery), of: attempt.delivery)
        continueWorking()
    }

    /// Gives up the attempts that take too long, so that a mediator that hangs blocks neither them nor the others.
    func giveUpOverdueAttempts() {
        let uptime = time.uptime
        for attempt in running.values where attempt.deadline <= uptime {
            attempt.task.cancel()
            running[attempt.delivery.id] = nil
            let reason = "no answer from the push service within \(settings.attemptTimeout.inSeconds) s"
            let outcome = MediatorOutcome(.retry(after: nil, reason: reason), requests: [])
            take(report(outcome, of: attempt.delivery), of: attempt.delivery)
        }
    }

    private func report(_ outcome: MediatorOutcome, of delivery: Delivery) -> DeliveryReport {
        let now = time.now
        let ending: DeliveryReport.Ending
        switch outcome.ending {
        case .delivered:
            ending = .delivered
        case .refused(let reason), .deviceGone(let reason, _):
            ending = .refused(reason: reason)
        case .retry(let retryAfter, let reason):
            let delay = settings.retry.delay(
                afterAttempt: delivery.attempts, retryAfter: retryAfter, using: &generator)
            // When its time runs out first, it comes back just then and is found to have expired; so it keeps the
            // reason, and does not expire before its time.
            let date = min(now.addingTimeInterval(delay.inSeconds), delivery.expiresAt)
            ending = .retry(at: date, reason: reason)
        }
        return DeliveryReport(id: delivery.id, ending: ending, date: now, requests: outcome.requests)
    }

    private func take(_ report: DeliveryReport, of delivery: Delivery) {
        reports.append(report)
        var metadata = delivery.metadata
        metadata["attempt"] = "\(delivery.attempts)"
        switch report.ending {
        case .delivered: logger.debug("delivered", metadata: metadata)
        case .refused(let reason): logger.warning("refused: \(reason)", metadata: metadata)
        case .expired: logger.warning("expired before a push service took it", metadata: metadata)
        case .retry(let date, let reason): logger.info("to be tried again at \(date): \(reason)", metadata: metadata)
        }
    }
}
