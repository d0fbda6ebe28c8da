import Core
import Logging

extension OutboxWorker {
    /// Waits up to the grace period for running attempts, records them, and releases the rest.
    func finish() async {
        for pool in pools.values { pool.discardQueued() }
        let end = time.uptime + settings.gracePeriod
        while time.uptime < end, !Task.isCancelled {
            for pool in pools.values { pool.abandonOverdueAttempts() }
            let statuses = pools.values.map(\.status)
            if !hasReports, statuses.allSatisfy(\.isIdle) { break }
            if hasReports, time.uptime >= storePausedUntil {
                await saveReports()
            } else {
                let pauseEnd = hasReports ? [storePausedUntil] : []
                await sleep(until: (statuses.compactMap(\.deadline) + pauseEnd + [end]).min() ?? end)
            }
        }
        abandonAttempts()
        if hasReports { await saveReports() }
        if !reports.isEmpty {
            logger.error("\(reports.count) deliveries ended but could not be recorded; they will be repeated")
        }
        await purgeTask?.value
        await giveBack()
    }

    private var hasReports: Bool { !reports.isEmpty || pools.values.contains { $0.status.reports > 0 } }

    private func saveReports() async {
        do {
            try await save()
            recordStoreSuccess()
        } catch {
            recordStoreFailure(error)
        }
    }

    private func abandonAttempts() {
        let count = pools.values.reduce(0) { $0 + $1.abandon() }
        if count > 0 { logger.warning("\(count) attempts did not end in time; they will be repeated") }
    }

    private func giveBack() async {
        do {
            let count = try await release()
            if count > 0 { logger.info("returned \(count) deliveries to the outbox") }
        } catch {
            logger.error("deliveries could not be returned to the outbox, so they wait for the next start: \(error)")
        }
    }
}
