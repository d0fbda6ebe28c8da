import Foundation
import Logging
import PushModel

/// What the worker asks of the store.
extension OutboxWorker {
    /// Gives back what an earlier process of this name held when it was killed, so that nothing waits for a lease.
    func takeBackFromEarlierRun() async {
        while !mustStop {
            do {
                let count = try await release()
                let counts = try await outbox.call { outbox throws(StoreError) in try outbox.counts() }
                pressure.reset(waiting: counts[.pending, default: 0] + counts[.claimed, default: 0])
                if count > 0 { logger.notice("\(count) deliveries that an earlier run held are taken up again") }
                storeTrouble.worked(logger: logger)
                return
            } catch {
                storeFailed(error)
                await sleep(until: storePausedUntil)
            }
        }
    }

    /// Gives back everything held under the worker's name.
    func release() async throws(StoreError) -> Int {
        try await outbox.call { [name] outbox throws(StoreError) in try outbox.release(worker: name) }
    }

    /// Records what has ended, and claims or looks for what is due.
    func useStore() async {
        guard time.uptime >= storePausedUntil else { return }
        do {
            if !reports.isEmpty { try await save() }
            if hasRoom {
                if mayBeDue {
                    try await claim()
                } else if time.uptime >= nextLook {
                    try await look()
                }
            }
            storeTrouble.worked(logger: logger)
        } catch {
            storeFailed(error)
        }
    }

    func storeFailed(_ error: StoreError) {
        storePausedUntil = time.uptime + settings.storePause
        storeTrouble.failed(error, logger: logger)
    }

    func save() async throws(StoreError) {
        let batch = reports
        reports = []
        do {
            try await outbox.call { [name] outbox throws(StoreError) in try outbox.record(batch, worker: name) }
        } catch {
            reports = batch + reports
            throw error
        }
        pressure.ended(batch.count { !$0.isRetry })
        // The next attempt may be due before anything the store named when it was last asked.
        if batch.contains(where: \.isRetry) { nextLook = time.uptime }
    }

    private func claim() async throws(StoreError) {
        mayBeDue = false
        let now = time.now
        let leaseEnd = now.addingTimeInterval(settings.lease.inSeconds)
        let claimed: [Delivery]
        do {
            claimed = try await outbox.call { [name, settings] outbox throws(StoreError) in
                try outbox.claim(limit: settings.batchSize, now: now, leaseEnd: leaseEnd, worker: name)
            }
        } catch {
            mayBeDue = true
            throw error
        }
        // What the worker holds already comes again when its lease has run out, and is renewed by that.
        let held = Set(running.keys).union(reports.map(\.id))
        queued = claimed.filter { !held.contains($0.id) }[...]
        claimedNothing = claimed.isEmpty
        if claimed.count >= settings.batchSize { mayBeDue = true }
        nextLook = time.uptime
    }

    /// Asks when the next delivery is due.
    private func look() async throws(StoreError) {
        let claimedNothing = self.claimedNothing
        self.claimedNothing = false
        let due = try await outbox.call { outbox throws(StoreError) in try outbox.nextDue() }
        guard let due else {
            pressure.reset(waiting: 0)
            nextLook = time.uptime + settings.longestSleep
            return
        }
        let seconds = due.timeIntervalSince(time.now)
        if seconds <= 0, !claimedNothing {
            mayBeDue = true
        } else {
            // If something is due and yet can't be claimed, asking again and again would not help.
            let wait = min(max(seconds, 0.05), settings.longestSleep.inSeconds)
            nextLook = time.uptime + .seconds(wait)
        }
    }

    func purgeWhenDue() {
        guard purgeTask == nil, time.uptime >= nextPurge else { return }
        nextPurge = time.uptime + settings.purgeInterval
        let limit = time.now.addingTimeInterval(-settings.retention.inSeconds)
        purgeTask = Task.detached { await self.purge(endedBefore: limit) }
    }

    private func purge(endedBefore limit: Date) async {
        do {
            let count = try await janitor.call { outbox throws(StoreError) in try outbox.purge(endedBefore: limit) }
            if count > 0 { logger.info("forgot \(count) deliveries that ended before \(limit)") }
        } catch {
            logger.error("old deliveries could not be forgotten; tried again in a while: \(error)")
        }
        purgeTask = nil
        // The next may have become due meanwhile.
        continueWorking()
    }
}

extension DeliveryReport {
    fileprivate var isRetry: Bool {
        if case .retry = ending { true } else { false }
    }
}
