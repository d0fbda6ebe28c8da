import Core
import Logging
import Synchronization

/// Keeps requests from a service that cannot take them, for one credential, so that an outage costs neither attempts nor
/// the service's patience.
///
/// Closed, everything passes. It opens after several failures in a row that are the service's and not the message's, or at
/// once when the service refuses the credential. Open, everything is held back; after a pause one request passes as a
/// probe. When the probe succeeds everything passes again, when it fails the pause doubles.
final class CircuitBreaker: Sendable {
    private enum Phase {
        case closed(failures: Int)
        case open(until: Duration, pause: Duration, reason: String)
        /// One request is under way to see how the service is; if nothing is heard of it until then, another may go.
        case probing(until: Duration, pause: Duration, reason: String)
    }

    private let name: String
    private let failuresToOpen: Int
    private let firstPause: Duration
    private let longestPause: Duration
    private let time: any TimeSource
    private let log: LogLimiter
    private let guards: GuardCounters
    private let phase = Mutex(Phase.closed(failures: 0))

    /// - Parameters:
    ///   - name: the service and the credential, for the log; no secret.
    ///   - failuresToOpen: how many failures in a row open it.
    ///   - firstPause: the wait before the first probe.
    ///   - longestPause: the longest wait between probes.
    ///   - logger: gets a line when it opens (error; once a minute while it opens again and again) and closes (notice).
    ///   - guards: counts how often it opens.
    init(
        name: String, failuresToOpen: Int = 5, firstPause: Duration = .seconds(5),
        longestPause: Duration = .seconds(300), time: any TimeSource, logger: Logger, guards: GuardCounters = .none
    ) {
        self.name = name
        self.failuresToOpen = failuresToOpen
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.time = time
        log = LogLimiter(logger: logger, time: time)
        self.guards = guards
    }

    /// Admits a request, or returns the outcome for a message that must wait.
    ///
    /// The caller reports how an admitted request ends. A request that is never reported (a cancelled one, say) blocks no other.
    ///
    /// - Returns: `nil` when the request may be sent.
    func held() -> PushAnswer? {
        let now = time.uptime
        return phase.withLock { phase -> PushAnswer? in
            switch phase {
            case .closed: return nil
            case .open(let until, let pause, let reason), .probing(let until, let pause, let reason):
                guard now >= until else { return PushAnswer(.retry(after: until - now, reason: reason)) }
                phase = .probing(until: now + pause, pause: pause, reason: reason)
                return nil
            }
        }
    }

    /// The service took a request, or refused a message because of its content.
    func succeeded() {
        let wasOpen = phase.withLock { phase in
            defer { phase = .closed(failures: 0) }
            if case .closed = phase { return false }
            return true
        }
        if wasOpen { log.recovered("open") { _ in "\(name) works again" } }
    }

    /// The service could not be reached or could not take the request.
    func failed(reason: String) {
        open(reason: reason) { failures in failures + 1 >= failuresToOpen }
    }

    /// Opens it at once: the credential is refused, so that nothing sent with it can arrive.
    ///
    /// - Parameter pause: the wait before the first probe, the usual one when `nil`.
    func trip(reason: String, pause: Duration? = nil) {
        open(reason: reason, pause: pause) { _ in true }
    }

    private func open(reason: String, pause firstPause: Duration? = nil, when isEnough: (Int) -> Bool) {
        let now = time.uptime
        let pause: Duration? = phase.withLock { phase in
            switch phase {
            case .closed(let failures):
                guard isEnough(failures) else {
                    phase = .closed(failures: failures + 1)
                    return nil
                }
                let pause = firstPause ?? self.firstPause
                phase = .open(until: now + pause, pause: pause, reason: reason)
                return pause
            case .probing(_, let last, _):
                let pause = min(last * 2, longestPause)
                phase = .open(until: now + pause, pause: pause, reason: reason)
                return pause
            case .open:
                // Requests that were under way when it opened.
                return nil
            }
        }
        if let pause {
            guards.acted(GuardCounters.circuitBreaker)
            log.log(
                "open", at: .error,
                "sending to \(name) is paused for \(pause.inSeconds) s, its messages wait: \(reason)")
        }
    }
}
