import Core
import PushModel

import struct Foundation.Date

/// The rules for when a poll is due once it is scheduled.
extension PollRecord {
    /// A new poll is due one interval from now: the deployment of a new version must not start polls.
    init(firstSeen schedule: PollSchedule, at now: Date) {
        self.init(
            eventSource: schedule.eventSource,
            interval: schedule.interval,
            lastEnded: nil,
            nextDue: now.addingTimeInterval(schedule.interval),
            consecutiveFailures: 0
        )
    }

    /// Returns the record of a known poll that is scheduled again. Its due time stays, even in the past. If the interval was changed,
    /// the new one counts from the end of the last run, or from the time at which the poll was first seen.
    ///
    /// A date in the future comes from a wrong clock, and counts as now. So no poll is due later than one interval from now.
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

    /// Returns the time to wait from now; zero when the time has passed.
    func wait(from now: Date) -> Duration {
        let seconds = nextDue.timeIntervalSince(now)
        return seconds > 0 ? .nearest(seconds: min(seconds, interval)) : .zero
    }
}

extension Duration {
    /// Returns the duration of `seconds`, rounded to microseconds: a `Date` is not more exact, and ten tenths make a whole second.
    ///
    /// - Parameter seconds: at most the longest of ``PollSchedule/intervals``.
    static func nearest(seconds: Double) -> Duration {
        .microseconds(Int64((seconds * 1_000_000).rounded()))
    }
}
