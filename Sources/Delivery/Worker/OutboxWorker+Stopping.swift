import Logging
import PushModel

extension OutboxWorker {
    /// Lets what is under way end while the grace period lasts, records it, and gives back the rest.
    func finish() async {
        queued = []
        let end = time.uptime + settings.gracePeriod
        while !running.isEmpty || !reports.isEmpty, time.uptime < end, !Task.isCancelled {
            giveUpOverdueAttempts()
            if !reports.isEmpty, time.uptime >= storePausedUntil {
                await saveReports()
            } else {
                let pauseEnd = reports.isEmpty ? [] : [storePausedUntil]
                await sleep(until: (running.values.map(\.deadline) + pauseEnd + [end]).min() ?? end)
            }
        }
        abandonAttempts()
        if !reports.isEmpty { await saveReports() }
        if !reports.isEmpty {
            logger.error("\(reports.count) deliveries ended but could not be recorded; they will be repeated")
        }
        await purgeTask?.value
        await giveBack()
    }

    private func saveReports() async {
        do {
            try await save()
            storeTrouble.worked(logger: logger)
        } catch {
            storeFailed(error)
        }
    }

    private func abandonAttempts() {
        guard !running.isEmpty else { return }
        logger.warning("\(running.count) attempts did not end in time; they will be repeated")
        for attempt in running.values { attempt.task.cancel() }
        running = [:]
    }

    private func giveBack() async {
        do {
            let count = try await release()
            if count > 0 { logger.info("\(count) deliveries given back to the outbox") }
        } catch {
            logger.error("deliveries could not be given back, so they wait for the next start: \(error)")
        }
    }
}
