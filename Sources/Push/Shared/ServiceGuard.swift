import Core
import Logging
import PushModel
import Synchronization

/// Guards the requests of a transport to its service for one credential, by three rules:
///
/// - ``CircuitBreaker``: during an outage, or with a refused credential, every message would cost an attempt and load the service. After five
///   failures in a row, or one refusal of the credential, all messages wait, and one at a time probes the service.
/// - ``MassRemovalGuard``: a wrong configuration looks like devices that are all gone. A device is removed at its second attempt,
///   when the service has taken at least as many messages since as there are lost devices.
/// - Mismatches: a service says that a token does not belong to the credential, either because the device registered with another
///   project long ago or because the credential is another application's. It is the credential's fault as long as nothing was taken
///   with it, or after twenty such responses in a row. Otherwise it is the device's, which must not hold up all others.
final class ServiceGuard: Sendable {
    /// Devices name topics and services, so there may be any number of them.
    private static let mostOwners = 1000
    private static let mismatchesOfCredential = 20

    private let name: String
    /// Is asked before each request.
    let breaker: CircuitBreaker
    private let removalAlarm: String?
    /// Keyed by the owners of the tokens.
    private let removals = Mutex(BoundedTable<String, MassRemovalGuard>(capacity: ServiceGuard.mostOwners))
    /// The number of consecutive mismatches. It starts at the limit: a credential has to prove itself first.
    private let mismatches = Mutex(ServiceGuard.mismatchesOfCredential)
    private let context: TransportContext
    private let log: LogLimiter

    /// - Parameters:
    ///   - name: the service and the credential, for the log; no secret.
    ///   - removalAlarm: what may be wrong when every device is lost, and what to do; `nil` for a service that knows no devices.
    init(name: String, removalAlarm: String? = nil, _ context: TransportContext) {
        (self.name, self.removalAlarm, self.context) = (name, removalAlarm, context)
        log = LogLimiter(logger: context.logger, time: context.time)
        breaker = CircuitBreaker(
            name: name, time: context.time, logger: context.logger, guards: context.guards)
    }

    /// Updates the state of the service and the credential for a verdict, and returns the outcome for the delivery.
    ///
    /// - Parameters:
    ///   - device: any unique name of the device that the message was for.
    ///   - owner: the owner of the tokens, for the log; by default the credential's devices.
    func answer(_ verdict: ServiceVerdict, device: String? = nil, of owner: String? = nil) -> PushAnswer {
        var ending = verdict.ending
        if let device, let removals = removals(of: owner ?? "\(name): devices") {
            ending = removals.checked(ending, of: device)
        }
        if ending == .delivered { mismatches.withLock { $0 = 0 } }
        let reason = verdict.cause ?? verdict.ending.reasonText
        let finding = verdict.finding == .mismatch ? findingOfMismatch() : verdict.finding
        switch finding {
        case .works: breaker.succeeded()
        case .fails: breaker.failed(reason: reason)
        case .credentialRefused:
            breaker.trip(reason: reason, pause: verdict.pause)
            if let held = breaker.held() { return held }
        case .alarm:
            breaker.succeeded()
            // Thousands of messages can fail for the same reason.
            log.log("alarm", at: .error, "\(name): \(verdict.ending.reasonText)")
        case .nothing, .mismatch: break
        }
        return PushAnswer(ending, serviceID: verdict.serviceID)
    }

    private func findingOfMismatch() -> ServiceVerdict.Finding {
        mismatches.withLock { count in
            count = min(count + 1, Self.mismatchesOfCredential)
            return count == Self.mismatchesOfCredential ? .credentialRefused : .alarm
        }
    }

    private func removals(of owner: String) -> MassRemovalGuard? {
        guard let removalAlarm else { return nil }
        return removals.withLock { removals in
            if let known = removals[owner] { return known }
            let made = MassRemovalGuard(
                name: owner, alarm: removalAlarm, time: context.time, logger: context.logger, guards: context.guards)
            removals[owner] = made
            return made
        }
    }
}

extension MediatorOutcome.Ending {
    /// The reason why it is not delivered; empty when it is.
    var reasonText: String {
        switch self {
        case .delivered, .previewed: ""
        case .refused(let reason), .deviceGone(let reason, _), .retry(_, let reason): reason
        }
    }
}
