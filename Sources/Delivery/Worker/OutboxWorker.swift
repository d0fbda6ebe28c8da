public import Logging
public import PushModel
import Synchronization

import struct Foundation.UUID

/// Takes deliveries from the outbox, has a mediator carry them, and records how that ended.
///
/// From `notify*` on, a delivery is delivered, refused or expired, never lost: the worker claims it with a lease and
/// forgets nothing that it could not record. A worker that is killed gives back what it held when it starts again under
/// the same name; until then, and for other workers, the leases run out.
///
/// When the store fails, the worker logs that, pauses, and goes on. It is idle without polling: it sleeps until the next
/// delivery is due, until ``wake()``, or until ``OutboxWorkerSettings/longestSleep`` is over, when it asks the store once
/// whether another process has put something there.
public actor OutboxWorker {
    let name: String
    let mediator: any Mediator
    let pressure: OutboxPressure
    let time: any TimeSource
    let logger: Logger
    let settings: OutboxWorkerSettings
    let onDeviceGone: @Sendable (Delivery) async -> Void

    /// For everything that deliveries wait for.
    let outbox: BlockingOutbox
    /// For the purge, which takes long and which nobody waits for.
    let janitor: BlockingOutbox

    var generator: any RandomNumberGenerator & Sendable
    private var hasStarted = false

    /// Claimed, and waiting for an attempt.
    var queued: ArraySlice<Delivery> = []
    var running: [UUID: Attempt] = [:]
    var attemptsStarted = 0
    /// What is still to be recorded.
    var reports: [DeliveryReport] = []

    /// Whether a claim could find something.
    var mayBeDue = true
    /// Whether the last claim found nothing.
    var claimedNothing = false
    /// When to ask the store what is due next, unless something is known to be due; as all times below, in uptime.
    var nextLook = Duration.zero
    /// Until when the store is left alone after a failure.
    var storePausedUntil = Duration.zero
    var storeTrouble = StoreTrouble()
    var nextPurge = Duration.zero
    var purgeTask: Task<Void, Never>?

    private let signal = WakeSignal()
    private let stopRequested = Atomic(false)
    private let hasNews = Atomic(false)

    /// - Parameters:
    ///   - name: the worker's name in the store. The same after each restart, and different from that of any other
    ///     worker that uses the store: what is held under this name is given back at the start.
    ///   - pressure: told how many deliveries wait and end.
    ///   - logger: gets refusals and expiries (warning), store failures (error), attempts to be repeated (info) and
    ///     deliveries (debug); no tokens and no contents.
    ///   - generator: decides how long to wait before a repeated attempt.
    ///   - onDeviceGone: called when a service has said that it does not know the device any more, with the delivery
    ///     whose subscription, as it was then, should go. It is part of the attempt; it may be called again for the same
    ///     delivery.
    public init(
        name: String, outbox: any Outbox, mediator: any Mediator, pressure: OutboxPressure, time: any TimeSource,
        logger: Logger, settings: OutboxWorkerSettings = OutboxWorkerSettings(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        onDeviceGone: @escaping @Sendable (Delivery) async -> Void = { _ in }
    ) {
        self.name = name
        self.outbox = BlockingOutbox(outbox, label: "lamplighter.outbox")
        janitor = BlockingOutbox(outbox, label: "lamplighter.outbox-purge")
        self.mediator = mediator
        self.pressure = pressure
        self.time = time
        self.logger = logger
        self.settings = settings
        self.generator = generator
        self.onDeviceGone = onDeviceGone
    }

    /// Works until ``stop()``, or until the calling task is cancelled, which stops without grace.
    ///
    /// Before it returns, what is under way may end within ``OutboxWorkerSettings/gracePeriod``, and the rest is given
    /// back to the outbox. A worker runs once: a second call returns at once.
    public func run() async {
        guard !hasStarted else { return }
        hasStarted = true
        await withTaskCancellationHandler {
            await takeBackFromEarlierRun()
            while !mustStop { await step() }
            await finish()
        } onCancel: {
            signal.set()
        }
    }

    /// Makes ``run()`` end. Returns at once, from any thread; also before `run()`.
    public nonisolated func stop() {
        stopRequested.store(true, ordering: .sequentiallyConsistent)
        signal.set()
    }

    /// Says that something has been put into the outbox. Returns at once, from any thread.
    public nonisolated func wake() {
        hasNews.store(true, ordering: .sequentiallyConsistent)
        signal.set()
    }

    var mustStop: Bool { stopRequested.load(ordering: .sequentiallyConsistent) || Task.isCancelled }

    /// Makes ``sleep(until:)`` end.
    func continueWorking() {
        signal.set()
    }

    /// Returns when something has happened, or when `deadline` has come.
    func sleep(until deadline: Duration) async {
        let alarm = Task.detached { [time, signal] in
            do { try await time.sleep(untilUptime: deadline) } catch { return }
            signal.set()
        }
        await signal.wait()
        alarm.cancel()
    }

    /// Does all there is to do, then sleeps until there is more.
    private func step() async {
        if hasNews.exchange(false, ordering: .sequentiallyConsistent) { mayBeDue = true }
        giveUpOverdueAttempts()
        purgeWhenDue()
        await useStore()
        startQueued()
        if let deadline = nextDeadline { await sleep(until: deadline) }
    }

    /// When there will be something to do at the latest; `nil` when there is now.
    private var nextDeadline: Duration? {
        let uptime = time.uptime
        var deadlines = running.values.map(\.deadline)
        // A purge that is still under way when the next is due is no reason to wake up: the next look comes soon.
        if purgeTask == nil || nextPurge > uptime { deadlines.append(nextPurge) }
        if uptime < storePausedUntil {
            deadlines.append(storePausedUntil)
        } else if !reports.isEmpty || hasRoom && mayBeDue {
            return nil
        } else if hasRoom {
            deadlines.append(nextLook)
        }
        // Nothing at all is to be waited for but an attempt's end, or news.
        let deadline = deadlines.min() ?? uptime + settings.longestSleep
        return deadline > uptime ? deadline : nil
    }

    /// Whether a claim would be of use.
    var hasRoom: Bool { queued.isEmpty && running.count < settings.concurrency }
}
