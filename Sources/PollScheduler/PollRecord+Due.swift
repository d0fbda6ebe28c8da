import PushModel

import struct Foundation.Date

/// The rules for when a poll is due once it is scheduled.
extension PollRecord {
    /// Polls that would all start at the same moment are spread over this many seconds.
    private static let spread = 10.0

    /// A poll nobody has heard of before is due one interval from now, or a little earlier: putting a new version on the server must
    /// not fire anything by itself.
    ///
    /// - Parameter share: where among the polls scheduled together it starts, from 0 to 1.
    init(firstSeen schedule: PollSchedule, share: Double, at now: Date) {
        self.init(
            eventSource: schedule.eventSource,
            interval: schedule.interval,
            lastEnded: nil,
            nextDue: now.addingTimeInterval(schedule.interval - share * min(schedule.interval, Self.spread)),
            consecutiveFailures: 0
        )
    }

    /// What becomes of a known poll that is scheduled (again): it stays due when it was, even if that has passed. When
    /// the interval has been changed meanwhile, the new one counts from the end of the last run, or from when the poll
    /// was first seen.
    ///
    /// A date can lie in the future only because the clock was wrong; it is taken to be now. So nothing is ever due
    /// later than one interval from now.
    func scheduled(every interval: Double, at now: Date) -> PollRecord {
        let lastEnded = lastEnded.map { min($0, now) }
        let due: Date
        if interval == self.interval {
            due = min(nextDue, now.addingTimeInterval(interval))
        } else {
            let firstSeen = min(nextDue.addingTimeInterval(-self.interval), now)
            due = (lastEnded ?? firstSeen).addingTimeInterval(interval)
        }
        return PollRecord(
            eventSource: eventSource,
            interval: interval,
            lastEnded: lastEnded,
            nextDue: due,
            consecutiveFailures: consecutiveFailures
        )
    }

    /// The run ended now, and the wait begins (server-api 2.7: fixed delay).
    func ended(at now: Date, consecutiveFailures: Int) -> PollRecord {
        PollRecord(
            eventSource: eventSource,
            interval: interval,
            lastEnded: now,
            nextDue: now.addingTimeInterval(interval),
            consecutiveFailures: consecutiveFailures
        )
    }

    /// How long to wait from now; not long when the time has passed.
    ///
    /// - Parameter share: where among the polls scheduled together it starts, from 0 to 1.
    func wait(from now: Date, share: Double) -> Duration {
        let seconds = nextDue.timeIntervalSince(now)
        return .nearest(seconds: seconds > 0 ? min(seconds, interval) : share * min(interval, Self.spread))
    }
}
