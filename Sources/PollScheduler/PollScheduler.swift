public import Core
public import Logging
public import PushModel

import struct Foundation.Date

/// Runs the polls of all event sources (server-api 2.7).
///
/// The delay is fixed: the wait for the next run starts when the last one has ended, so a poll never overlaps itself.
/// A slow poll does not delay others: each run is a separate task, and any number of runs may be open.
///
/// All polls share one heap ordered by due time and one task that waits for the earliest. Waits are measured by
/// ``TimeSource/uptime``; ``TimeSource/now`` is used only for stored and shown times, so a change of the machine's clock
/// moves no poll of a running scheduler.
///
/// When a poll is due:
/// - scheduled for the first time ever: one interval later, so that a redeploy does not start polls;
/// - after a restart: at the stored time, or at once (and once only) when that has passed;
/// - after a restart with another interval: at the end of the last run, or the time it was first seen, plus the new
///   interval;
/// - never later than one interval from now, even if a wrong clock stored a later time;
/// - spread with the others of the same ``schedule(_:)-([PollSchedule])``, over the smaller of 10 seconds and the interval: a first or
///   an overdue run comes that much later.
///
/// A run that a restart interrupted was not stored as ended, so it is repeated at once afterwards.
///
/// Failures of the store are logged, and polls continue. If a poll's record cannot be read, the poll counts as first seen, and
/// the store keeps its record until the poll has run.
public actor PollScheduler {
    private enum Phase {
        case idle, running, stopping, stopped
    }

    struct Poll {
        var record: PollRecord
        /// The end of the first of the consecutive failures; `nil` without any, and if it was in an earlier process.
        var failingSince: Date?
        /// The reason why the last run failed; `nil` without failures in this process.
        var failure: String?
        /// False once it has been cancelled.
        var isScheduled = true
        let runs: LabelledCounters<PollMetrics.Outcome>
    }

    struct Run {
        let start: Date
        let startUptime: Duration
        let task: Task<Void, Never>
    }

    private struct Timer {
        let number: Int
        let deadline: Duration
        let task: Task<Void, Never>
    }

    /// Polls that would all start at the same moment are spread over this many seconds.
    static let spread = 10.0

    let time: any TimeSource
    let logger: Logger
    let log: LogLimiter
    private let runPoll: @Sendable (EventSourceID) async throws -> Void
    let keeper: PollRecordKeeper
    let holder: String?
    private let metrics: PollMetrics
    /// The lease under which polls run, where servers share them, and until when in uptime this server relies on it.
    var lease: (held: PollLease?, until: Duration) = (nil, .zero)
    var leaseTask: Task<Void, Never>?

    private var phase = Phase.idle
    /// Every poll ever scheduled, also those cancelled since.
    var polls: [EventSourceID: Poll] = [:]
    /// The scheduled polls that are not running, by uptime.
    var waiting = DueHeap<Duration, EventSourceID>()
    var runs: [EventSourceID: Run] = [:]
    /// The records that ended just now and are not stored yet.
    private var justEnded: [PollRecord] = []
    /// The polls whose tasks were cancelled when the grace period was over.
    private var abandoned: Set<EventSourceID> = []
    private var timer: Timer?
    private var timersStarted = 0

    /// Calls of `stop` that wait for the running polls.
    private var idleWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var idleWaitersStarted = 0
    /// Calls of `run` that wait for the end.
    private var stopWaiters: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - store: keeps when each poll is due; called on a separate thread.
    ///   - time: the clocks.
    ///   - holder: this server's name, when others share the store: only the one that has the lease (``PollLease``) runs polls.
    ///   - logger: gets the first failure and then those of each minute (error), recovery (notice) and newly scheduled
    ///     poll (info); repeated success is logged at debug only.
    ///   - metrics: records runs; nothing by default.
    ///   - run: makes one run of an event source's poll, and returns when it has ended. The description of an error it
    ///     throws is logged. Its task is cancelled when the scheduler stops and the grace period is over.
    public init(
        store: any PollStore,
        time: any TimeSource,
        holder: String? = nil,
        logger: Logger,
        metrics: PollMetrics = PollMetrics(),
        run: @escaping @Sendable (EventSourceID) async throws -> Void
    ) {
        self.time = time
        self.logger = logger
        self.metrics = metrics
        self.runPoll = run
        self.holder = holder
        self.keeper = PollRecordKeeper(store: store, holder: holder, time: time, logger: logger)
        log = LogLimiter(logger: logger, time: time)
    }
}

// MARK: - What is polled

extension PollScheduler {
    /// Returns when the scheduler has time: at once, unless something blocks its thread.
    public func respond() {}
}

extension PollScheduler {
    /// Schedules a poll; see ``schedule(_:)-([PollSchedule])``.
    public func schedule(_ schedule: PollSchedule) async {
        await self.schedule([schedule])
    }

    /// Schedules polls. Those that are scheduled already stay, or get the new interval, counted from the end of their last
    /// run. A running poll, even a cancelled one, is not started a second time: its wait begins at its end.
    ///
    /// Nothing runs before ``run()`` does. Does not wait for the store.
    public func schedule(_ schedules: [PollSchedule]) async {
        let unknown = schedules.map(\.eventSource).filter { polls[$0] == nil }
        let stored = await keeper.records(of: unknown)
        let changed = schedules.enumerated().compactMap { index, schedule in
            place(schedule, index: index, stored: stored[schedule.eventSource])
        }
        startDuePolls()
        keeper.save(changed)
        // One line, however many there are.
        guard let shortest = schedules.map(\.interval).min() else { return }
        let what = schedules.count == 1 ? "1 poll" : "\(schedules.count) polls"
        logger.info("\(what) scheduled, the most frequent every \(shortest) s")
    }

    /// Ends an event source's poll. A run that is going on is left to end, and its end is stored; none follows.
    public func cancel(_ eventSource: EventSourceID) {
        guard polls[eventSource]?.isScheduled == true else { return }
        polls[eventSource]?.isScheduled = false
        waiting.remove(eventSource)
        setTimer()
        logger.info("poll cancelled", metadata: ["eventSource": "\(eventSource)"])
    }

    /// The time of the next poll, in uptime; `nil` while there is none to wait for.
    public var nextDue: Duration? { waiting.first?.deadline }

    /// Starts the polls that are due now, and returns when none runs any more. For callers that move the clock manually and never call ``run()``,
    /// which would start them by itself.
    public func runDue() async {
        guard phase == .idle || phase == .running else { return }
        let uptime = time.uptime
        while let eventSource = waiting.popFirst(dueBy: uptime) { start(eventSource) }
        guard !runs.isEmpty else { return }
        idleWaitersStarted += 1
        let number = idleWaitersStarted
        await withCheckedContinuation { idleWaiters[number] = $0 }
    }

    /// Returns the status of each poll that is scheduled or still running, in the order of their names.
    public func status() -> [PollStatus] {
        let now = time.now
        let uptime = time.uptime
        return polls.values
            .filter { $0.isScheduled || runs[$0.record.eventSource] != nil }
            .map { poll in
                let eventSource = poll.record.eventSource
                return PollStatus(
                    eventSource: eventSource,
                    interval: poll.record.interval,
                    nextDue: waiting.deadline(of: eventSource).map { now.addingTimeInterval(($0 - uptime).inSeconds) },
                    runningSince: runs[eventSource]?.start,
                    lastEnded: poll.record.lastEnded,
                    consecutiveFailures: poll.record.consecutiveFailures,
                    failingSince: poll.failingSince,
                    failure: poll.failure
                )
            }
            .sorted { $0.eventSource < $1.eventSource }
    }

    /// Puts one poll into the heap.
    ///
    /// - Parameter index: its position among the polls that are scheduled together.
    /// - Returns: the record that must be stored because of it, if any.
    private func place(
        _ schedule: PollSchedule, index: Int, stored: Result<PollRecord?, StoreError>?
    ) -> PollRecord? {
        let eventSource = schedule.eventSource
        let now = time.now
        let before: PollRecord?
        var isReadable = true
        if let poll = polls[eventSource] {
            if poll.isScheduled, poll.record.interval == schedule.interval { return nil }
            before = poll.record
        } else {
            switch stored {
            case .success(let record): before = record
            case nil: before = nil
            case .failure(let error):
                before = nil
                isReadable = false
                logger.error(
                    "poll time could not be read, so the poll counts as new: \(error)",
                    metadata: ["eventSource": "\(eventSource)"]
                )
            }
        }

        let record =
            before?.scheduled(every: schedule.interval, at: now) ?? PollRecord(firstSeen: schedule, at: now)
        let wait = wait(for: record, isNew: before == nil, index: index)
        var poll = polls[eventSource] ?? Poll(record: record, runs: metrics.runs(of: eventSource))
        (poll.record, poll.isScheduled) = (record, true)
        polls[eventSource] = poll
        if runs[eventSource] == nil { waiting.insert(eventSource, due: time.uptime + wait) }
        logger.debug(
            "poll scheduled every \(schedule.interval) s, next in \(wait.inSeconds) s",
            metadata: ["eventSource": "\(eventSource)"]
        )
        return isReadable && record != before ? record : nil
    }
}

// MARK: - Running and stopping

extension PollScheduler {
    /// Runs the polls until ``stop(gracePeriod:)`` has returned, or until the calling task is cancelled, which stops
    /// without grace.
    ///
    /// A scheduler runs once: after its end this returns at once.
    public func run() async {
        await withTaskCancellationHandler {
            if phase == .idle, !Task.isCancelled {
                phase = .running
                startDuePolls()
                keepLease()
            }
            if phase != .stopped { await withCheckedContinuation { stopWaiters.append($0) } }
        } onCancel: {
            Task.detached { await self.stop(gracePeriod: .zero) }
        }
    }

    /// Starts no new polls, waits for the running ones, and then cancels the tasks of those that have not ended. Runs
    /// that ended in time are stored. An abandoned run is not, and is repeated after a restart.
    ///
    /// Does not wait for abandoned tasks to end: a script that does not notice the cancellation must not hold up the
    /// server.
    ///
    /// - Parameter gracePeriod: how long to wait; the wait ends early when the calling task is cancelled.
    /// - Returns: The event sources whose runs had to be abandoned, in the order of their names.
    @discardableResult
    public func stop(gracePeriod: Duration) async -> [EventSourceID] {
        if phase != .stopped { phase = .stopping }
        setTimer()
        await waitForRuns(upTo: gracePeriod)
        abandonRuns()
        saveEnded()
        await keeper.flush()
        leaseTask?.cancel()
        await keeper.endLease()
        phase = .stopped
        for waiter in stopWaiters { waiter.resume() }
        stopWaiters = []
        return abandoned.sorted()
    }

    private func waitForRuns(upTo gracePeriod: Duration) async {
        guard !runs.isEmpty, gracePeriod > .zero else { return }
        idleWaitersStarted += 1
        let number = idleWaitersStarted
        let deadline = time.uptime + gracePeriod
        let timeout = Task.detached { [time] in
            try? await time.sleep(untilUptime: deadline)
            await self.resumeIdleWaiter(number)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { idleWaiters[number] = $0 }
        } onCancel: {
            timeout.cancel()
        }
        timeout.cancel()
    }

    private func resumeIdleWaiter(_ number: Int) {
        idleWaiters.removeValue(forKey: number)?.resume()
    }

    private func resumeIdleWaiters() {
        for number in idleWaiters.keys { resumeIdleWaiter(number) }
    }

    private func abandonRuns() {
        for (eventSource, run) in runs {
            run.task.cancel()
            abandoned.insert(eventSource)
            logger.warning(
                "poll abandoned while running, since the scheduler stops",
                metadata: ["eventSource": "\(eventSource)"]
            )
        }
        runs = [:]
        resumeIdleWaiters()
    }
}

// MARK: - The timer

extension PollScheduler {
    /// Starts the due polls, and waits for the next one.
    func startDuePolls() {
        guard phase == .running, mayRun else { return }
        let uptime = time.uptime
        while let eventSource = waiting.popFirst(dueBy: uptime) { start(eventSource) }
        setTimer()
    }

    /// Makes the one waiting task wait for the earliest poll.
    ///
    /// It is detached, as the runs are: polls belong to the scheduler, and take nothing over (priority, task-local
    /// values) from the request that happened to schedule one.
    private func setTimer() {
        let deadline = phase == .running && mayRun ? waiting.first?.deadline : nil
        guard deadline != timer?.deadline else { return }
        timer?.task.cancel()
        timer = nil
        guard let deadline else { return }
        timersStarted += 1
        let number = timersStarted
        let task = Task.detached { [time] in
            do { try await time.sleep(untilUptime: deadline) } catch { return }
            await self.timerFired(number)
        }
        timer = Timer(number: number, deadline: deadline, task: task)
    }

    private func timerFired(_ number: Int) {
        if timer?.number == number { timer = nil }
        startDuePolls()
    }
}

// MARK: - One run

extension PollScheduler {
    private func start(_ eventSource: EventSourceID) {
        // Before the task begins, which takes time.
        let (now, uptime) = (time.now, time.uptime)
        let task = Task.detached { [runPoll] in
            let outcome: Result<Void, any Error>
            do {
                try await runPoll(eventSource)
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            await self.ended(eventSource, outcome)
        }
        runs[eventSource] = Run(start: now, startUptime: uptime, task: task)
    }

    private func ended(_ eventSource: EventSourceID, _ outcome: Result<Void, any Error>) {
        // An abandoned run is none of our business any more.
        guard let run = runs.removeValue(forKey: eventSource), var poll = polls[eventSource] else { return }
        let now = time.now
        let uptime = time.uptime
        if poll.isScheduled {
            waiting.insert(eventSource, due: uptime + .nearest(seconds: poll.record.interval))
            setTimer()
        }

        metrics.run(took: uptime - run.startUptime)
        note(outcome, at: now, took: uptime - run.startUptime, of: &poll)
        polls[eventSource] = poll
        saveSoon(poll.record)
        if runs.isEmpty { resumeIdleWaiters() }
    }

    /// Passes the record to the store in a separate job, which runs after all runs that end at the same moment, so that they
    /// are saved together.
    private func saveSoon(_ record: PollRecord) {
        justEnded.append(record)
        if justEnded.count == 1 { Task.detached { await self.saveEnded() } }
    }

    private func saveEnded() {
        keeper.save(justEnded)
        justEnded = []
    }

    private func note(
        _ outcome: Result<Void, any Error>, at now: Date, took duration: Duration, of poll: inout Poll
    ) {
        let eventSource = poll.record.eventSource
        let metadata: Logger.Metadata = ["adapter": "\(eventSource.adapter)", "eventSource": "\(eventSource)"]
        var failures = poll.record.consecutiveFailures
        switch outcome {
        case .success:
            logger.debug("poll took \(duration.inSeconds) s", metadata: metadata)
            log.recovered("poll \(eventSource)", metadata: metadata) { _ in
                "poll works again after \(failures) failed runs"
            }
            failures = 0
            (poll.failingSince, poll.failure) = (nil, nil)
        case .failure(let error):
            failures += 1
            if failures == 1 { poll.failingSince = now }
            poll.failure = "\(error)"
            log.log("poll \(eventSource)", at: .error, others: .debug, metadata: metadata, "poll failed: \(error)")
        }
        poll.runs.increment(failures > 0 ? .failed : .ok)
        poll.record = poll.record.ended(at: now, consecutiveFailures: failures)
    }
}
