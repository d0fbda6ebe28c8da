import CJavaScriptCore
import Dispatch
import Foundation
import NIOConcurrencyHelpers
import Synchronization

/// The executor of the virtual machine that owns it: one thread at a time, of those that all machines share (``ScriptWorkers``).
///
/// Work is done in the order in which it came, be it a job of the actor's or a closure passed to ``enqueue(_:)-(Closure)``. Work ends on the thread
/// on which it began: the engine's CPU accounting and stack bounds are a thread's. A machine may run on any thread, but on one at a time only.
///
/// `@unchecked Sendable`: state that the lock does not guard belongs to the thread that runs the machine.
final class ScriptThread: SerialExecutor, @unchecked Sendable {
    /// Large enough for the engine's own ceiling of 5 MB and for native code below it.
    static let stackSize = 8 << 20

    private enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    private struct State {
        var work: [Work] = []
        /// True if a thread has the machine, or is about to.
        var isScheduled = false
        /// True if a further check whether the machine is idle is scheduled.
        var isWatched = false
        var onIdle: (@Sendable () -> Void)?
    }

    private let state = NIOLockedValueBox(State())
    private let idleDelay: Duration
    /// The thread that runs the machine now, as a number; 0 for none.
    private let current = Atomic<UInt>(0)
    /// The time of the last work, in nanoseconds of the monotonic clock.
    private let lastUse = Atomic<UInt64>(0)
    /// The CPU time that the machine has taken, in nanoseconds. Belongs to the thread that runs it.
    private(set) var cpuTime: UInt64 = 0
    /// True if the machine's current work is that of its idle handler. Belongs to the thread that runs it.
    private var hasRunIdleHandler = false
    /// The results that wait for delivery. Belongs to the thread that runs the machine.
    let answers = AnswerQueue()

    /// - Parameter idleDelay: how long the machine must have had nothing to do before it counts as idle.
    init(idleDelay: Duration) {
        self.idleDelay = idleDelay
    }

    /// Has `handler` called on the machine's thread when the machine has had nothing to do for some time.
    func onIdle(_ handler: @escaping @Sendable () -> Void) {
        state.withLockedValue { $0.onIdle = handler }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        enqueue(.job(UnownedJob(job)))
    }

    /// Has the thread run a closure.
    func enqueue(_ closure: @escaping @Sendable () -> Void) {
        enqueue(.closure(closure))
    }

    private func enqueue(_ work: Work) {
        let isNew = state.withLockedValue { state in
            state.work.append(work)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isNew { ScriptWorkers.shared.schedule(self) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    private var isCurrent: Bool { current.load(ordering: .relaxed) == UInt(pthread_self()) }

    func checkIsolated() {
        precondition(isCurrent, "not on the machine's thread")
    }

    func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    /// Does the work that there is.
    func run(on worker: ScriptWorker) {
        var work: [Work] = []
        state.withLockedValue { swap(&work, &$0.work) }
        answers.worker = worker
        current.store(UInt(pthread_self()), ordering: .relaxed)
        let start = LimitEnforcer.nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
        for item in work {
            switch item {
            case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
            case .closure(let closure): closure()
            }
        }
        let isIdleWork = work.count == 1 && hasRunIdleHandler
        hasRunIdleHandler = false
        work = []
        cpuTime += LimitEnforcer.nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - start
        current.store(0, ordering: .relaxed)
        answers.worker = nil
        lastUse.store(LimitEnforcer.nanoseconds(of: CLOCK_MONOTONIC), ordering: .relaxed)
        let (hasMore, mustWatch) = state.withLockedValue { state in
            guard state.work.isEmpty else { return (true, false) }
            state.isScheduled = false
            guard !state.isWatched, !isIdleWork else { return (false, false) }
            state.isWatched = true
            return (false, true)
        }
        if hasMore { ScriptWorkers.shared.schedule(self, isOwn: true) }
        if mustWatch { watch(after: idleDelay) }
    }

    /// Checks after some time whether the machine has been used meanwhile.
    private func watch(after delay: Duration) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay / .seconds(1)) { [weak self] in
            self?.lookWhetherIdle()
        }
    }

    private func lookWhetherIdle() {
        // The machine may be used meanwhile, on another thread: the time of its last use may then be later than this one.
        let now = LimitEnforcer.nanoseconds(of: CLOCK_MONOTONIC)
        let used = lastUse.load(ordering: .relaxed)
        let left = idleDelay - .nanoseconds(Int64(clamping: now > used ? now - used : 0))
        guard left <= .zero else { return watch(after: left) }
        let handler = state.withLockedValue { state -> (@Sendable () -> Void)? in
            state.isWatched = false
            // A machine that has work is watched again when that is done.
            return state.isScheduled ? nil : state.onIdle
        }
        guard let handler else { return }
        enqueue { [self] in
            hasRunIdleHandler = true
            handler()
        }
    }
}
