import Core
import Logging
import PushModel
import Synchronization

/// Guards the requests of a transport to its service for one credential: holds messages back while the service cannot
/// take them, raises the alarm when the configuration is to blame, and keeps devices from being removed in masses.
final class ServiceGuard: Sendable {
    private let name: String
    private let breaker: CircuitBreaker
    private let removals: MassRemovalGuard?
    private let log: LogLimiter

    /// - Parameters:
    ///   - name: the service and the credential, for the log; no secret.
    ///   - removalAlarm: what may be wrong when every device is lost, and what to do; `nil` for a service that knows no devices.
    init(
        name: String, removalAlarm: String? = nil, time: any TimeSource, logger: Logger, guards: GuardCounters = .none
    ) {
        self.name = name
        log = LogLimiter(logger: logger, time: time)
        breaker = CircuitBreaker(name: name, time: time, logger: logger, guards: guards)
        removals = removalAlarm.map {
            MassRemovalGuard(name: "\(name): devices", alarm: $0, time: time, logger: logger, guards: guards)
        }
    }

    /// Returns the answer for a message that must wait; `nil` when it may go.
    func held() -> PushAnswer? { breaker.held() }

    /// Draws the conclusions from a verdict.
    ///
    /// - Parameter device: names the device that the message was for, in whatever way.
    func answer(_ verdict: ServiceVerdict, device: String? = nil) -> PushAnswer {
        var ending = verdict.ending
        if let removals, let device { ending = removals.checked(ending, of: device) }
        switch verdict.finding {
        case .works: breaker.succeeded()
        case .fails: breaker.failed(reason: verdict.ending.reasonText)
        case .credentialRefused:
            breaker.trip(reason: verdict.ending.reasonText)
            if let held = held() { return held }
        case .alarm:
            breaker.succeeded()
            // Thousands of messages can fail for the same reason.
            log.log("alarm", at: .error, "\(name): \(verdict.ending.reasonText)")
        case .nothing: break
        }
        return PushAnswer(ending, serviceID: verdict.serviceID)
    }
}

extension CircuitBreaker {
    /// Returns the answer for a message that must wait for the service; `nil` when it may go.
    func held() -> PushAnswer? {
        guard case .hold(let wait, let reason) = admit() else { return nil }
        return PushAnswer(.retry(after: wait, reason: reason))
    }
}

extension MediatorOutcome.Ending {
    /// Why it is not delivered; empty when it is.
    var reasonText: String {
        switch self {
        case .delivered, .previewed: ""
        case .refused(let reason), .deviceGone(let reason, _), .retry(_, let reason): reason
        }
    }
}

/// Decides whose fault it is when a service says that a device's token does not belong to the credential: the device's,
/// which registered with another project long ago, or the credential's, which is another application's.
///
/// The credential's, as long as nothing at all has been taken with it, or when ``limit`` messages in a row were answered so.
/// Otherwise the device's: its messages must not hold up everybody else's.
final class MismatchRule: Sendable {
    private let limit: Int
    /// How many in a row were mismatches. It starts at the limit: a credential has to prove itself first.
    private let inARow: Mutex<Int>

    init(limit: Int = 20) {
        self.limit = limit
        inARow = Mutex(limit)
    }

    /// The service took a message.
    func taken() {
        inARow.withLock { $0 = 0 }
    }

    /// The service said that token and credential do not belong together.
    ///
    /// - Returns: whether it is the credential's fault.
    func mismatched() -> Bool {
        inARow.withLock { count in
            count = min(count + 1, limit)
            return count >= limit
        }
    }
}
