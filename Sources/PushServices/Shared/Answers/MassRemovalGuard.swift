import Delivery
import Logging
import PushModel
import Synchronization

/// Prevents the removal of devices when a push service knows hardly any of their tokens. Then the configuration is wrong, or
/// something on the way to the service, and not the devices.
///
/// One answer does not show which it is, many do. So one guard for each credential (or topic, or service of a browser) looks at
/// the last 100 devices that were answered since the start:
///
/// - *known*: the service took a message;
/// - *lost*: the service says that the app is gone (410 of Apple, `UNREGISTERED` of Google), or that the token is another app's
///   or another environment's (`BadDeviceToken` of Apple).
///
/// A lost device is removed only when other devices show that the service still knows this app's tokens. Since the service last
/// took a message, at most three devices may be lost, and at most a third as many as are known. Otherwise the device stays
/// and its message is tried again. So a service that knows no token removes none from a fleet of three, one of five at most, and
/// three of any other; right after the start it removes none. A device that is really gone goes with the next attempt after
/// another device was known.
///
/// The guard raises the alarm when five devices are lost and none is known, when ten are lost and fewer than one in five is
/// known, or when twenty in a row are lost. From then on no device is removed, the log has an error, and all messages wait.
/// After a minute one message is let through, later one every five minutes; the first known token ends the alarm. In addition the
/// guard lets one message per second through to a device that was not lost within a day. Otherwise the retries for a hundred
/// devices that are really gone would take all the probes, and a message to a good device would wait for hours.
///
/// A device counts once however often it is tried. Otherwise the retries for lost devices would soon fill the last 100. A
/// device that was last lost a day ago no longer counts, so that years of uninstalled apps raise no alarm. A restart
/// begins with nothing known, so that old proof cannot mislead.
final class MassRemovalGuard: Sendable {
    enum Verdict: Sendable, Hashable {
        /// The device is to be removed.
        case remove
        /// Undecided: the message is tried again after `wait`.
        case unknown(wait: Duration)
        /// Nearly all tokens are unknown; no device is removed.
        case alarm(wait: Duration, reason: String)
    }

    private struct Entry {
        let device: Int
        let isKnown: Bool
        /// In uptime.
        let time: Duration
    }

    /// The devices that were last answered, in a ring.
    private struct Window {
        private var entries: [Entry] = []
        /// Where each device is among the entries.
        private var indices: [Int: Int] = [:]
        private var next = 0
        private(set) var lost = 0
        /// When each lost device was last lost, in uptime; the first ``MassRemovalGuard/mostLost`` of the last day.
        private var lostTimes: [Int: Duration] = [:]
        /// The largest size of `lostTimes`.
        private let mostLost: Int
        /// When entries of `lostTimes` are next discarded, in uptime.
        private var nextDiscard = Duration.zero
        /// How many devices were lost since one was known.
        private var lostInRow = 0
        /// When the next device may be probed during an alarm, in uptime.
        var nextProbe = Duration.zero

        init(mostLost: Int) { self.mostLost = mostLost }

        var known: Int { entries.count - lost }

        /// Whether hardly any token is known.
        var isMassLoss: Bool {
            lostInRow >= MassRemovalGuard.inRowForAlarm
                || lost >= MassRemovalGuard.lostForAlarm && known * 5 < entries.count
                || lost >= MassRemovalGuard.firstLostForAlarm && known == 0
        }

        /// Whether the service has shown that it still knows this app's tokens.
        var isProven: Bool {
            known > 0 && lostInRow <= MassRemovalGuard.mostRemovedInRow && lostInRow * 3 <= known
        }

        /// Whether a message to the device may be a probe during an alarm: the device was not lost within a day.
        func mayBeProbed(_ device: Int) -> Bool {
            lostTimes.count < mostLost && lostTimes[device] == nil
        }

        mutating func add(_ entry: Entry) {
            if entry.isKnown {
                lostInRow = 0
                lostTimes[entry.device] = nil
            } else {
                let oldest = entry.time - MassRemovalGuard.memory
                forget(before: oldest)
                // An entry of the ring counts, too, since not all are among the times when very many are lost.
                let isRepeated =
                    lostTimes[entry.device].map { $0 >= oldest } ?? indices[entry.device].map { !entries[$0].isKnown }
                    ?? false
                if lostTimes[entry.device] != nil || lostTimes.count < mostLost { lostTimes[entry.device] = entry.time }
                if isRepeated {
                    if let index = indices[entry.device] { replace(index, entry) }
                    return
                }
                lostInRow += 1
            }
            if let index = indices[entry.device] {
                replace(index, entry)
            } else if entries.count < MassRemovalGuard.size {
                indices[entry.device] = entries.count
                entries.append(entry)
                if !entry.isKnown { lost += 1 }
            } else {
                indices[entries[next].device] = nil
                indices[entry.device] = next
                replace(next, entry)
                next = (next + 1) % MassRemovalGuard.size
            }
        }

        private mutating func replace(_ index: Int, _ entry: Entry) {
            if !entries[index].isKnown { lost -= 1 }
            if !entry.isKnown { lost += 1 }
            entries[index] = entry
        }

        /// Forgets devices that were lost before `time`.
        private mutating func forget(before time: Duration) {
            if time >= nextDiscard {
                // Once in an hour, since there may be very many.
                nextDiscard = time + .seconds(3600)
                lostTimes = lostTimes.filter { $0.value >= time }
            }
            let isOld = { (entry: Entry) in !entry.isKnown && entry.time < time }
            guard lost > 0, entries.contains(where: isOld) else { return }
            entries = (entries[next...] + entries[..<next]).filter { !isOld($0) }
            indices = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.device, $0) })
            next = 0
            lost = entries.count { !$0.isKnown }
            lostInRow = min(lostInRow, lost)
        }
    }

    static let size = 100
    static let mostRemovedInRow = 3
    static let firstLostForAlarm = 5
    static let lostForAlarm = 10
    static let inRowForAlarm = 20
    static let firstPause = Duration.seconds(60)
    /// How long a device waits that is lost while others are known: one of these will soon get a message.
    static let confirmationPause = Duration.seconds(5)
    /// The time between two probes of devices that were not lost yet.
    static let probeInterval = Duration.seconds(1)
    /// How long a message waits that may be such a probe when another probe was sent within the interval.
    static let probePause = Duration.seconds(20)
    /// The number of lost devices that are remembered, in a few megabytes; with more there are no such probes.
    static let mostLost = 100_000
    /// How long a lost device counts.
    static let memory = Duration.seconds(86_400)

    private let name: String
    private let time: any TimeSource
    private let log: LogLimiter
    private let breaker: CircuitBreaker
    private let window: Mutex<Window>
    private let alarm: String

    /// - Parameters:
    ///   - name: whose tokens these are, for the log.
    ///   - alarm: what is wrong when hardly any token is known, and what to do.
    ///   - mostLost: the number of lost devices that are remembered.
    init(
        name: String, alarm: String, mostLost: Int = MassRemovalGuard.mostLost, time: any TimeSource, logger: Logger
    ) {
        window = Mutex(Window(mostLost: mostLost))
        breaker = CircuitBreaker(name: name, firstPause: Self.firstPause, time: time, logger: logger)
        self.name = name
        self.alarm = alarm
        self.time = time
        log = LogLimiter(logger: logger, time: time)
    }

    /// Whether a message may go.
    ///
    /// - Parameter device: names the device, in whatever way.
    func admit(_ device: String) -> CircuitBreaker.Admission {
        guard case .hold(let wait, let reason) = breaker.admit() else { return .pass }
        let uptime = time.uptime
        return window.withLock { window in
            guard window.mayBeProbed(device.hashValue) else { return .hold(for: wait, reason: reason) }
            guard uptime >= window.nextProbe else { return .hold(for: min(wait, Self.probePause), reason: reason) }
            window.nextProbe = uptime + Self.probeInterval
            return .pass
        }
    }

    /// Returns how an attempt ended; a retry instead of the removal of a device as long as the guard forbids it.
    func checked(_ ending: MediatorOutcome.Ending, of device: String) -> MediatorOutcome.Ending {
        switch ending {
        case .delivered: known(device)
        case .deviceGone(let reason, _):
            switch lost(device) {
            case .remove: break
            case .unknown(let wait): return .retry(after: wait, reason: "\(reason); \(Self.stay)")
            case .alarm(let wait, let alarm): return .retry(after: wait, reason: "\(reason); \(alarm)")
            }
        case .refused, .retry: break
        }
        return ending
    }

    /// Why a lost device is not removed.
    static let stay = "the device stays until the service takes a message for another one"

    /// The service took a message.
    ///
    /// - Parameter device: names the device, in whatever way.
    func known(_ device: String) {
        let uptime = time.uptime
        window.withLock { $0.add(Entry(device: device.hashValue, isKnown: true, time: uptime)) }
        breaker.succeeded()
    }

    /// The service does not know the token, or not any more.
    func lost(_ device: String) -> Verdict {
        let uptime = time.uptime
        let (isMassLoss, isProven, known, unknown) = window.withLock { window in
            window.add(Entry(device: device.hashValue, isKnown: false, time: uptime))
            if window.isMassLoss { window.nextProbe = max(window.nextProbe, uptime + Self.probeInterval) }
            return (window.isMassLoss, window.isProven, window.known, window.lost)
        }
        if isMassLoss {
            breaker.trip(reason: alarm)
            return .alarm(wait: Self.firstPause, reason: alarm)
        }
        if known == 0 {
            log.log(
                "no device known", at: .warning, every: .seconds(3600),
                """
                \(name): the service knows no device so far and does not know \(unknown); no device is removed until \
                the service takes a message
                """)
        }
        return isProven ? .remove : .unknown(wait: known == 0 ? Self.firstPause : Self.confirmationPause)
    }
}

extension CircuitBreaker {
    /// Returns the answer for a message that must wait for the service, or until lost devices are explained; `nil` when it may go.
    ///
    /// - Parameters:
    ///   - removals: looks after the devices; `nil` for a service that knows no devices.
    ///   - device: names the device that the message is for, in whatever way.
    func held(_ removals: MassRemovalGuard?, device: @autoclosure () -> String?) -> PushAnswer? {
        var admission = admit()
        // The guard is asked only about messages that the service may get, since its `pass` may be the only one in a second.
        if admission == .pass, let removals, let device = device() { admission = removals.admit(device) }
        guard case .hold(let wait, let reason) = admission else { return nil }
        return PushAnswer(.retry(after: wait, reason: reason))
    }
}
