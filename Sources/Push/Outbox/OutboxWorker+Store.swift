import Core
import Foundation
import Logging
import PushModel

/// The worker's store operations.
extension OutboxWorker {
    /// Releases the deliveries that an earlier process of this name held when it was killed, so that none waits for a
    /// lease.
    func releaseClaimsOfEarlierRun() async {
        while !mustStop {
            do {
                let count = try await release()
                try await beat(isFirst: true)
                try await askDepth()
                if count > 0 { logger.notice("\(count) deliveries that an earlier run held are taken up again") }
                recordStoreSuccess()
                return
            } catch {
                recordStoreFailure(error)
                await sleep(until: storePausedUntil)
            }
        }
    }

    /// Releases everything held under the worker's name.
    func release() async throws(StoreError) -> Int {
        try await storeThread.run { [outbox, name] () throws(StoreError) in try outbox.release(worker: name) }
    }

    /// Says that this worker is alive, and takes over the deliveries of dead ones.
    private func beat(isFirst: Bool = false) async throws(StoreError) {
        let asked = time.uptime
        let beat = try await storeThread.run { [outbox, name, settings] () throws(StoreError) in
            try outbox.beat(worker: name, silence: settings.silence)
        }
        guard let beat else { return nextHeartbeat = nil }
        nextHeartbeat = asked + settings.heartbeat
        if !beat.wasKnown, !isFirst {
            for pool in pools.values { pool.discardQueued() }
            mayBeDue = .all
            logger.warning(
                "this server was silent for \(settings.silence.components.seconds) s, so others send what it held")
        }
        for pool in pools.values { pool.begin(until: asked + settings.silence * 5 / 6) }
        for (dead, count) in beat.dead.sorted(by: { $0.key < $1.key }) {
            logger.warning(
                "the server \(dead) has been silent for \(settings.silence.components.seconds) s; \(count) deliveries that it held are taken up again"
            )
            if count > 0 { mayBeDue = .all }
        }
    }

    /// Records the ended deliveries, and claims due ones or queries for them.
    func runStoreStep() async {
        guard time.uptime >= storePausedUntil else { return }
        do {
            if let nextHeartbeat, time.uptime >= nextHeartbeat { try await beat() }
            for (channel, pool) in pools where pool.takeLapsed() { mayBeDue.insert(channel) }
            let statuses = pools.mapValues(\.status)
            if let due = recordDue(statuses), due <= time.uptime { try await save() }
            let channels = claimable(pools.mapValues(\.status))
            if !channels.isEmpty {
                // By its own clock the lease ends no later than by the store's.
                let leaseEnd = time.now.addingTimeInterval(settings.lease.inSeconds)
                var claimed = try await storeThread.run { [outbox, name, settings] () throws(StoreError) in
                    try outbox.claim(limit: settings.batchSize, of: channels, lease: settings.lease, worker: name)
                }
                for index in claimed.indices { claimed[index].due = leaseEnd }
                mayBeDue.subtract(channels)
                lastClaimWasEmpty = claimed.isEmpty
                nextLook = time.uptime
                for (channel, deliveries) in Dictionary(grouping: claimed, by: \.target.channel) {
                    if deliveries.count >= settings.batchSize { mayBeDue.insert(channel) }
                    pools[channel]?.add(withoutHeld(deliveries, in: channel))
                }
            } else if time.uptime >= nextLook {
                let free = pools.filter { hasFreeSlot($0.value.status) }.map(\.key)
                if !free.isEmpty { try await look(for: Set(free)) }
            }
            if time.uptime >= nextDepth { try await askDepth() }
            recordStoreSuccess()
        } catch {
            recordStoreFailure(error)
        }
    }

    /// The channels whose deliveries can be claimed now.
    func claimable(_ statuses: [DeliveryChannel: AttemptPool.AttemptPoolStatus]) -> Set<DeliveryChannel> {
        mayBeDue.filter { (statuses[$0]?.queued ?? .max) <= settings.lowWaterMark }
    }

    /// Returns true if a delivery that became due could be attempted at once.
    func hasFreeSlot(_ status: AttemptPool.AttemptPoolStatus) -> Bool {
        status.queued == 0 && status.running < settings.concurrency
    }

    /// The time at which ended attempts are recorded: at once when there are many or the worker is idle, else a while after the
    /// last record; `nil` when no attempt has ended.
    func recordDue(_ statuses: [DeliveryChannel: AttemptPool.AttemptPoolStatus]) -> Duration? {
        let count = statuses.values.reduce(reports.count) { $0 + $1.reports }
        guard count > 0 else { return nil }
        guard let lastRecord, count < settings.batchSize, !statuses.values.allSatisfy(\.isIdle) else {
            return time.uptime
        }
        return max(lastRecord + settings.recordInterval, storePausedUntil)
    }

    func recordStoreFailure(_ error: StoreError) {
        storePausedUntil = time.uptime + settings.storePause
        storeFailures += 1
        log.log(
            "\(error)", at: .error, others: .debug, metadata: ["failures": "\(storeFailures)"],
            error.code == .corrupt
                ? "the outbox failed: \(error)"
                : "the outbox failed and will be tried again; nothing is lost meanwhile: \(error)")
    }

    func recordStoreSuccess() {
        guard storeFailures > 0 else { return }
        log.log("recovery", at: .notice, metadata: ["failures": "\(storeFailures)"], "the outbox works again")
        storeFailures = 0
    }

    func save() async throws(StoreError) {
        let batch = pools.values.reduce(into: reports) { $0 += $1.takeReports() }
        reports = []
        guard !batch.isEmpty else { return }
        let released: Int
        do {
            released = try await storeThread.run { [outbox, name] () throws(StoreError) in
                try outbox.record(batch, worker: name)
            }
        } catch {
            reports = batch + reports
            throw error
        }
        lastRecord = time.uptime
        let states = batch.compactMap(\.ending.state)
        let ended = states.count
        pressure.ended(states)
        endedSincePurge += ended
        if released > 0 { mayBeDue = .all }
        // The next attempt may be due before anything the store named when it was last asked.
        if ended < batch.count { nextLook = time.uptime }
    }

    /// Leaves out deliveries that the worker holds already: a delivery whose lease has run out is claimed again, which renews the lease.
    private func withoutHeld(_ claimed: [Delivery], in channel: DeliveryChannel) -> [Delivery] {
        let again = claimed.filter { $0.attempts > 1 }
        guard !again.isEmpty, let pool = pools[channel] else { return claimed }
        let held = pool.renew(again).union(reports.renew(Dictionary(again.map { ($0.id, $0) }) { first, _ in first }))
        return held.isEmpty ? claimed : claimed.filter { !held.contains($0.id) }
    }

    /// Asks when the next delivery is due.
    private func look(for channels: Set<DeliveryChannel>) async throws(StoreError) {
        let lastClaimWasEmpty = self.lastClaimWasEmpty
        self.lastClaimWasEmpty = false
        let asked = time.uptime
        let next = try await storeThread.run { [outbox] () throws(StoreError) in try outbox.timeToNext(of: channels) }
        guard let next else {
            if channels == .all { pressure.reset(waiting: 0) }
            nextLook = time.uptime + settings.longestSleep
            return
        }
        if next == .zero, !lastClaimWasEmpty {
            mayBeDue.formUnion(channels)
        } else {
            // If something is due and yet can't be claimed, asking again and again would not help.
            nextLook = asked + min(max(next, .milliseconds(50)), settings.longestSleep)
        }
    }

    /// Sets right what other workers and other processes have done.
    private func askDepth() async throws(StoreError) {
        nextDepth = time.uptime + settings.depthInterval
        pressure.reset(
            waiting: try await storeThread.run { [outbox] () throws(StoreError) in try outbox.depth().waiting })
    }

    func purgeWhenDue() {
        guard purgeTask == nil, time.uptime >= nextPurge || endedSincePurge > settings.maximumEnded / 10 else { return }
        nextPurge = time.uptime + settings.purgeInterval
        endedSincePurge = 0
        let limit = time.now.addingTimeInterval(-settings.retention.inSeconds)
        purgeTask = Task.detached { await self.purge(endedBefore: limit) }
    }

    private func purge(endedBefore limit: Date) async {
        do {
            let count = try await purgeThread.run { [outbox, settings] () throws(StoreError) in
                try outbox.purge(endedBefore: limit, keeping: settings.maximumEnded)
            }
            if count > 0 { logger.info("forgot \(count) of the deliveries that ended first") }
            log.recovered("purge") { "old deliveries are forgotten again after \($0) failed attempts" }
        } catch {
            log.log("purge", at: .error, "old deliveries could not be forgotten; tried again in a while: \(error)")
        }
        purgeTask = nil
        // The next may have become due meanwhile.
        continueWorking()
    }
}
