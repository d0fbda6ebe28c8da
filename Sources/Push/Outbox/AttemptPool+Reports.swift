import Core
import Foundation
import Logging
import PushModel

/// Reports the result of an attempt to the store and the log.
extension AttemptPool {
    func report(_ outcome: MediatorOutcome, of delivery: Delivery, _ state: inout AttemptPoolState) -> DeliveryReport {
        let now = time.now
        let ending: DeliveryReport.Ending
        switch outcome.ending {
        case .delivered:
            ending = .delivered
        case .previewed:
            ending = .previewed
        case .refused(let reason), .deviceGone(let reason, _):
            ending = .refused(reason: reason)
        case .retry(let retryAfter, let reason):
            let delay = settings.retry.delay(
                afterAttempt: delivery.attempts, retryAfter: retryAfter, using: &state.generator)
            // When its time runs out first, it comes back just then and is found to have expired; so it keeps the
            // reason, and does not expire before its time.
            let date = min(now.addingTimeInterval(delay.inSeconds), state.clock.expiry(of: delivery))
            ending = .retry(at: date, reason: reason)
        }
        // A request that a service has accepted and knows by an id needs no copy.
        let isKnown = ending == .delivered && outcome.serviceID != nil
        return DeliveryReport(
            on: delivery, ending: ending, date: now, serviceID: outcome.serviceID,
            requests: isKnown ? [] : outcome.requests)
    }

    func take(_ report: DeliveryReport, of delivery: Delivery, _ state: inout AttemptPoolState) {
        state.reports.append(report)
        metrics.ended(report.ending, of: delivery)
        switch report.ending {
        case .delivered: log(.debug, "delivered", delivery)
        case .previewed: log(.debug, "previewed", delivery)
        case .refused(let reason): warn("refused: \(reason)", delivery)
        case .expired: warn("expired before a push service took it", delivery)
        case .retry(let date, let reason): log(.info, "to be tried again at \(date): \(reason)", delivery)
        }
    }

    private func log(_ level: Logger.Level, _ message: @autoclosure () -> Logger.Message, _ delivery: Delivery) {
        guard logger.logLevel <= level else { return }
        logger.log(level: level, message(), metadata: metadata(of: delivery))
    }

    /// A message can have thousands of deliveries that end for the same reason: the others are logged at debug.
    private func warn(_ message: String, _ delivery: Delivery) {
        limiter.log(message, at: .warning, others: .debug, metadata: metadata(of: delivery), message)
    }

    private func metadata(of delivery: Delivery) -> Logger.Metadata {
        var metadata = delivery.metadata
        metadata["attempt"] = "\(delivery.attempts)"
        return metadata
    }
}
