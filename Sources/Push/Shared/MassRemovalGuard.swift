import Core
import Logging
import PushModel
import Synchronization

/// Decides when a device is removed that a push service reports as lost: its app is gone, or its token is another app's.
///
/// A wrong configuration causes the same reports, so the rule waits for proof that the service knows the app's tokens:
///
/// - A lost device is removed at its second attempt, once the service has taken at least as many messages since the first one as
///   there are lost devices.
/// - A lost device waits at least one minute until its second attempt.
/// - Five devices lost in a row without one accepted message are the alarm: one error line a minute.
///
/// There is one guard for each credential, each topic of APNs and each service of a browser. A restart forgets the lost devices.
final class MassRemovalGuard: Sendable {
    private struct Loss {
        /// In uptime.
        let time: Duration
        /// The number of messages that the service had taken.
        let accepted: Int
        /// In uptime.
        var lastAttempt: Duration
    }

    private struct State {
        /// The first attempt that found each lost device, by the device's hash value.
        var lost: [Int: Loss] = [:]
        var accepted = 0
        var lostInRow = 0
        /// The next time at which old entries of `lost` are discarded, in uptime.
        var nextDiscard = Duration.zero

        /// Forgets devices that were not tried again, as those with a new token.
        mutating func forgetOld(at uptime: Duration) {
            if lost.count >= MassRemovalGuard.mostLost { lost = [:] }
            guard uptime >= nextDiscard else { return }
            nextDiscard = uptime + .seconds(3600)
            lost = lost.filter { uptime - $0.value.lastAttempt < MassRemovalGuard.memory }
        }
    }

    /// The shortest time between the first and the second attempt. Later pauses grow up to ``longestWait``.
    static let wait = Duration.seconds(60)
    private static let longestWait = Duration.seconds(3600)
    private static let memory = Duration.seconds(24 * 3600)
    private static let lostForAlarm = 5
    /// The number of lost devices that take a few megabytes; beyond, all are forgotten and need two attempts again.
    private static let mostLost = 100_000

    private let name: String
    private let alarm: String
    private let time: any TimeSource
    private let log: LogLimiter
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: whose tokens these are, for the log.
    ///   - alarm: what may be wrong when every device is lost, and what to do.
    init(name: String, alarm: String, time: any TimeSource, logger: Logger, guards: GuardCounters = .none) {
        self.name = name
        self.alarm = alarm
        self.time = time
        log = LogLimiter(logger: logger, time: time, guards: guards)
    }

    /// Returns how an attempt ended: a retry instead of a removal as long as the rule keeps the device.
    ///
    /// - Parameter device: any unique name of the device.
    func checked(_ ending: MediatorOutcome.Ending, of device: String) -> MediatorOutcome.Ending {
        switch ending {
        case .delivered, .previewed:
            state.withLock { state in
                state.accepted += 1
                state.lostInRow = 0
                state.lost[device.hashValue] = nil
            }
        case .deviceGone(let reason, _):
            guard let pause = pause(of: device.hashValue) else { break }
            return .retry(
                after: pause,
                reason: "\(reason); the device stays until the service takes as many messages as there are lost devices"
            )
        case .refused, .retry: break
        }
        return ending
    }

    /// Counts a lost device.
    ///
    /// - Returns: how long the device's next attempt waits; `nil` when the device is removed.
    private func pause(of device: Int) -> Duration? {
        let uptime = time.uptime
        let (pause, lostInRow) = state.withLock { state -> (Duration?, Int) in
            guard var loss = state.lost[device] else {
                state.forgetOld(at: uptime)
                state.lost[device] = Loss(time: uptime, accepted: state.accepted, lastAttempt: uptime)
                state.lostInRow += 1
                return (Self.wait, state.lostInRow)
            }
            if uptime - loss.time >= Self.wait, state.accepted - loss.accepted >= state.lost.count {
                state.lost[device] = nil
                return (nil, state.lostInRow)
            }
            // As long as it has waited so far.
            let pause = min(max(uptime - loss.time, Self.wait), Self.longestWait)
            loss.lastAttempt = uptime
            state.lost[device] = loss
            return (pause, state.lostInRow)
        }
        if pause != nil, lostInRow >= Self.lostForAlarm {
            log.guards.acted(GuardCounters.massRemoval)
            log.log(
                "lost", at: .error,
                """
                \(name): the service reported \(lostInRow) devices in a row as lost and took no message; they stay until it takes \
                as many messages as there are lost devices; \(alarm)
                """)
        }
        return pause
    }
}
