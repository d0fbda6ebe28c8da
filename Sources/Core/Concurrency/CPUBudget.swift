import Foundation
import Synchronization

/// The CPU time that native work of a script's call may take. The work counts what it takes.
package final class CPUBudget: Sendable {
    private let limit: Duration
    private let counted = Atomic(0)

    package init(limit: Duration) {
        self.limit = limit
    }

    /// The CPU time that was counted.
    package var used: Duration { .nanoseconds(counted.load(ordering: .relaxed)) }

    package func count(_ time: Duration) {
        counted.add(Int(time / .nanoseconds(1)), ordering: .relaxed)
    }

    /// Returns true if work that has taken `time`, which is not counted yet, must end.
    package func isExceeded(with time: Duration) -> Bool { used + time >= limit }
}

/// The clock of the CPU time that one thread takes.
package struct ThreadCPUClock: Sendable {
    private let clock: clockid_t

    /// The clock of the calling thread. Other threads may read it until that thread ends.
    package init() {
        var clock = clockid_t()
        clock = pthread_getcpuclockid(pthread_self(), &clock) == 0 ? clock : CLOCK_THREAD_CPUTIME_ID
        self.clock = clock
    }

    /// The CPU time since the thread's start; `nil` if the thread has ended.
    package var now: Duration? {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
