import Foundation
import PushModel

/// One attempt that is under way.
struct Attempt {
    var delivery: Delivery
    /// Makes this attempt and perhaps others after it.
    let task: Task<Void, Never>
}

extension AttemptPool {
    /// The state of an ``AttemptPool``, for the worker.
    struct AttemptPoolStatus {
        let queued: Int
        let running: Int
        let reports: Int
        /// The earliest deadline of the running attempts, in uptime.
        let deadline: Duration?

        var isIdle: Bool { queued == 0 && running == 0 }
    }

    struct AttemptPoolState {
        var generator: any RandomNumberGenerator & Sendable
        var clock: ClockJumpDetector
        /// Claimed, and waiting for an attempt.
        var queued: ArraySlice<Delivery> = []
        /// The running attempts, keyed by a separate number: an abandoned attempt ends late, beside another one at the same delivery.
        var running: [Int: Attempt] = [:]
        var attemptsStarted = 0
        /// The deadlines of the attempts, in the order in which the attempts began. Except for leases that end soon, this is the order of the
        /// deadlines. Attempts that have ended remain listed until their deadline, or until they are the first.
        var deadlines: ArraySlice<(deadline: Duration, number: Int)> = []
        /// The reports that the worker has not taken yet.
        var reports: [DeliveryReport] = []
        var hasLapsed = false
        /// The uptime from which on no attempt begins; `nil` for none.
        var beginsUntil: Duration?

        var firstDeadline: Duration? {
            mutating get {
                while let first = deadlines.first, running[first.number] == nil { deadlines.removeFirst() }
                return deadlines.first?.deadline
            }
        }

        mutating func begin(_ number: Int, _ delivery: Delivery, deadline: Duration, _ task: Task<Void, Never>) {
            running[number] = Attempt(delivery: delivery, task: task)
            deadlines.append((deadline, number))
        }

        mutating func removeOverdue(at uptime: Duration) -> [Attempt] {
            var overdue: [Attempt] = []
            while let deadline = firstDeadline, deadline <= uptime, let first = deadlines.popFirst() {
                if let attempt = running.removeValue(forKey: first.number) { overdue.append(attempt) }
            }
            return overdue
        }

        /// Returns true if the end of an attempt has created work for the worker: the first report, enough of them, nothing left to do, or room for
        /// more deliveries.
        func isNews(reportsBefore: Int, _ settings: OutboxWorkerSettings) -> Bool {
            reportsBefore == 0 || reportsBefore < settings.batchSize && reports.count >= settings.batchSize
                || queued.isEmpty || queued.count == settings.lowWaterMark || hasLapsed
        }
    }
}
