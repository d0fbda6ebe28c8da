import Delivery
import Logging
import PushModel
import Synchronization

/// Keeps devices from being removed when a push service knows hardly any of their tokens: then the configuration is to blame,
/// or something between here and the service, and not the devices.
///
/// One answer does not show which it is, many do. So one guard for each credential (or topic, or service of a browser) looks at
/// the last 100 devices that were answered since the start, however long ago:
///
/// - *known*: the service took a message;
/// - *gone*: the service says that it knew the token and that the app is no more (410 of Apple, `UNREGISTERED` of Google);
/// - *foreign*: the token may be another app's or another environment's (`BadDeviceToken` of Apple).
///
/// The last two are *lost*. The guard raises the alarm when ten devices or more are lost and fewer than one in five is known, or
/// when twenty in a row are lost. From then on no device is removed, the log has an error, and all messages wait. After a minute one message
/// is let through, later one every five minutes; the first known token ends the alarm.
///
/// Without an alarm a gone device is removed. A foreign one is removed when at least one in five is known or gone, so that
/// environment and topic are proved right; otherwise it stays and its message is tried again in a minute.
///
/// A device counts once however often it is tried. One that was last lost a day ago counts no more, so that years of uninstalled
/// apps come to no alarm. A restart begins with nothing known, so that old proof cannot mislead.
final class MassRemovalGuard: Sendable {
    enum Verdict: Sendable, Hashable {
        /// The device is to be removed.
        case remove
        /// It cannot be said yet.
        case unknown(wait: Duration)
        /// Nearly all tokens are unknown; nothing is removed.
        case alarm(wait: Duration, reason: String)
    }

    private enum Answer {
        case known, gone, foreign
    }

    private struct Entry {
        let device: Int
        let answer: Answer
        /// In uptime.
        let time: Duration
    }

    /// The devices that were last answered, in a ring.
    private struct Window {
        private var entries: [Entry] = []
        /// Where each device is among the entries.
        private var indices: [Int: Int] = [:]
        private var next = 0
        private var gone = 0
        private var foreign = 0
        /// How many devices were lost since one was known.
        private var lostInRow = 0

        private var lost: Int { gone + foreign }
        private var known: Int { entries.count - lost }

        /// Whether hardly any token is known.
        var isMassLoss: Bool {
            lostInRow >= MassRemovalGuard.inRowForAlarm
                || lost >= MassRemovalGuard.lostForAlarm && known * 5 < entries.count
        }

        /// Whether the service has shown that it knows this app's tokens.
        var isProven: Bool { (known + gone) * 5 >= entries.count }

        mutating func add(_ entry: Entry) {
            if entry.answer == .known {
                lostInRow = 0
            } else {
                forget(before: entry.time - MassRemovalGuard.memory)
                let isNew = indices[entry.device].map { entries[$0].answer == .known } ?? true
                if isNew { lostInRow += 1 }
            }
            if let index = indices[entry.device] {
                replace(index, entry)
            } else if entries.count < MassRemovalGuard.size {
                indices[entry.device] = entries.count
                entries.append(entry)
                count(entry.answer, 1)
            } else {
                indices[entries[next].device] = nil
                indices[entry.device] = next
                replace(next, entry)
                next = (next + 1) % MassRemovalGuard.size
            }
        }

        private mutating func replace(_ index: Int, _ entry: Entry) {
            count(entries[index].answer, -1)
            entries[index] = entry
            count(entry.answer, 1)
        }

        /// Forgets devices that were lost long ago.
        private mutating func forget(before time: Duration) {
            let isOld = { (entry: Entry) in entry.answer != .known && entry.time < time }
            guard lost > 0, entries.contains(where: isOld) else { return }
            entries = (entries[next...] + entries[..<next]).filter { !isOld($0) }
            indices = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.device, $0) })
            next = 0
            gone = entries.count { $0.answer == .gone }
            foreign = entries.count { $0.answer == .foreign }
            lostInRow = min(lostInRow, lost)
        }

        private mutating func count(_ answer: Answer, _ change: Int) {
            switch answer {
            case .known: break
            case .gone: gone += change
            case .foreign: foreign += change
            }
        }
    }

    static let size = 100
    static let lostForAlarm = 10
    static let inRowForAlarm = 20
    static let firstPause = Duration.seconds(60)
    /// How long a lost device counts.
    static let memory = Duration.seconds(86_400)

    private let time: any TimeSource
    private let breaker: CircuitBreaker
    private let window = Mutex(Window())
    private let alarm: String

    /// - Parameters:
    ///   - name: whose tokens these are, for the log.
    ///   - alarm: what is wrong when hardly any token is known, and what to do.
    init(name: String, alarm: String, time: any TimeSource, logger: Logger) {
        breaker = CircuitBreaker(name: name, firstPause: Self.firstPause, time: time, logger: logger)
        self.alarm = alarm
        self.time = time
    }

    /// Whether a message may go.
    func admit() -> CircuitBreaker.Admission { breaker.admit() }

    /// How an attempt ended, unless it would remove one of nearly all devices: then the message waits.
    func checked(_ ending: MediatorOutcome.Ending, of device: String) -> MediatorOutcome.Ending {
        switch ending {
        case .delivered: known(device)
        case .deviceGone(let reason, _):
            if case .alarm(let wait, let alarm) = gone(device) {
                return .retry(after: wait, reason: "\(reason); \(alarm)")
            }
        case .refused, .retry: break
        }
        return ending
    }

    /// The service took a message.
    ///
    /// - Parameter device: names the device, in whatever way.
    func known(_ device: String) {
        let uptime = time.uptime
        window.withLock { $0.add(Entry(device: device.hashValue, answer: .known, time: uptime)) }
        breaker.succeeded()
    }

    /// The service knew the token and does not know it any more.
    func gone(_ device: String) -> Verdict { lost(device, .gone) }

    /// The service does not know the token.
    func foreign(_ device: String) -> Verdict { lost(device, .foreign) }

    private func lost(_ device: String, _ answer: Answer) -> Verdict {
        let uptime = time.uptime
        let (isMassLoss, isProven) = window.withLock { window in
            window.add(Entry(device: device.hashValue, answer: answer, time: uptime))
            return (window.isMassLoss, window.isProven)
        }
        if isMassLoss {
            breaker.trip(reason: alarm)
            return .alarm(wait: Self.firstPause, reason: alarm)
        }
        return answer == .gone || isProven ? .remove : .unknown(wait: Self.firstPause)
    }
}
