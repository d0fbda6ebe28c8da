import Core
import Logging
import PushModel

/// The right to run the polls, where several servers share the store.
extension PollScheduler {
    /// The duration of a lease, the renewal interval, and the safety margin before its end.
    private static let (leaseTime, renewal, margin) = (Duration.seconds(30), Duration.seconds(10), Duration.seconds(5))

    var mayRun: Bool { holder == nil || time.uptime < lease.until }

    func keepLease() {
        guard holder != nil else { return }
        leaseTask = Task.detached { [time] in
            while !Task.isCancelled {
                let asked = time.uptime
                await self.renewLease(asked: asked)
                do { try await time.sleep(untilUptime: asked + Self.renewal) } catch { return }
            }
        }
    }

    private func renewLease(asked: Duration) async {
        let former = lease.held
        switch await keeper.renewLease(for: Self.leaseTime) {
        case .success(let held?):
            log.recovered("lease") { _ in "the lease of the polls is renewed again" }
            if held != former {
                logger.notice("this server runs the polls")
                await readAgain()
            }
            lease = (held, asked + Self.leaseTime - Self.margin)
        case .success(nil):
            if former != nil || lease.until == .zero { logger.notice("another server runs the polls; this one waits") }
            // Not zero, which is said once.
            lease = (nil, .nanoseconds(1))
        case .failure(let error):
            log.log("lease", at: .error, "renewing the lease of the polls failed: \(error)")
        }
        startDuePolls()
    }

    /// Reloads the polls' records, since another server may have run them.
    private func readAgain() async {
        let stored = await keeper.records(of: polls.keys.sorted())
        let now = time.now
        var unknown: [PollRecord] = []
        for (index, eventSource) in stored.keys.sorted().enumerated() {
            if case .success(nil)? = stored[eventSource], let poll = polls[eventSource], poll.isScheduled {
                unknown.append(poll.record)
            }
            guard case .success(let found?)? = stored[eventSource], var poll = polls[eventSource], poll.isScheduled,
                runs[eventSource] == nil
            else { continue }
            poll.record = found.scheduled(every: poll.record.interval, at: now)
            (poll.failingSince, poll.failure) = (nil, nil)
            polls[eventSource] = poll
            waiting.remove(eventSource)
            waiting.insert(eventSource, due: time.uptime + wait(for: poll.record, isNew: false, index: index))
        }
        // Seen for the first time, before there was a lease to save that under.
        keeper.save(unknown)
    }

    /// Returns the wait until a poll starts, spread with the others.
    ///
    /// - Parameter index: its position among the polls that are scheduled together.
    func wait(for record: PollRecord, isNew: Bool, index: Int) -> Duration {
        // Multiples of the golden ratio's fraction: spread evenly, and neighbours, which may be of one adapter, far apart.
        let share = (Double(index) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        let wait = record.wait(from: time.now)
        guard isNew || wait == .zero else { return wait }
        return wait + .nearest(seconds: share * min(record.interval, Self.spread))
    }
}
