import CEngineMemory
import CJavaScriptCore
import Dispatch
import Foundation
import NIOConcurrencyHelpers

/// The threads on which all virtual machines run their scripts: one for each processor, and one more for each that waits or has computed
/// for long.
///
/// A thread that has finished one machine's work continues with the next machine's, so that under load no call wakes a thread. The threads
/// may block, in a back-end call or a database, without blocking Swift's cooperative threads.
final class ScriptWorkers: Sendable {
    static let shared = ScriptWorkers()

    private struct State {
        /// Machines whose work no thread has begun, first come first served.
        var ready: [ScriptThread] = []
        /// The number of ``ready`` machines that were taken.
        var taken = 0
        /// The number of threads that work, and have not reported that they wait.
        var active = 0
        /// The number of times work was taken, and whether a thread monitors it.
        var takes = 0
        var isWatched = false
        /// Threads without work; the last one came last.
        var parked: [ScriptWorker] = []

        var hasReady: Bool { taken < ready.count }

        mutating func takeReady() -> ScriptThread? {
            guard hasReady else { return nil }
            let first = ready[taken]
            taken += 1
            takes += 1
            if taken == ready.count || taken > 1000 {
                ready.removeFirst(taken)
                taken = 0
            }
            return first
        }
    }

    /// The time in seconds after which untaken work gets another thread: some native function waits and has not reported it.
    private static let longestWait = 0.010
    /// The time for which a thread without work is kept, in seconds.
    private static let idleLimit = 1.0

    private let state = NIOLockedValueBox(State())
    private let processors = ProcessInfo.processInfo.activeProcessorCount

    private enum Wake {
        case nobody, new(ScriptWorker)
        case parked(ScriptWorker)
    }

    /// Has a thread run the machine's work.
    func schedule(_ machine: ScriptThread) {
        let (wakes, takesToWatch) = state.withLockedValue { state -> (Wake, Int?) in
            state.ready.append(machine)
            let wakes = next(&state)
            guard case .nobody = wakes, !state.isWatched else { return (wakes, nil) }
            state.isWatched = true
            return (wakes, state.takes)
        }
        wake(wakes)
        if let takesToWatch { watch(since: takesToWatch) }
    }

    private func watch(since takes: Int) {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.longestWait) { [self] in
            let (wakes, takesToWatch) = state.withLockedValue { state -> (Wake, Int?) in
                guard state.hasReady else {
                    state.isWatched = false
                    return (.nobody, nil)
                }
                return (state.takes == takes ? next(&state, always: true) : .nobody, state.takes)
            }
            wake(wakes)
            if let takesToWatch { watch(since: takesToWatch) }
        }
    }

    /// The thread calls it before it waits, and when its call has computed for long: another may go on meanwhile.
    func isWaiting(_ worker: ScriptWorker) {
        guard worker.isActive else { return }
        wake(
            state.withLockedValue { state in
                worker.isActive = false
                state.active -= 1
                return next(&state)
            })
    }

    /// Counts one more thread as active, if there is work and a processor for it.
    private func next(_ state: inout State, always: Bool = false) -> Wake {
        guard state.hasReady, always || state.active < processors else { return .nobody }
        state.active += 1
        if let worker = state.parked.popLast() { return .parked(worker) }
        return .new(ScriptWorker())
    }

    private func wake(_ wake: Wake) {
        switch wake {
        case .nobody: break
        case .parked(let worker): worker.wakeUp.signal()
        case .new(let worker):
            let thread = Thread { [self] in run(worker) }
            thread.stackSize = ScriptThread.stackSize
            thread.start()
        }
    }

    private func run(_ worker: ScriptWorker) {
        // Foundation's own name comes too late to be seen from outside.
        lamplighterNameThread("js")
        if TrapBookkeeping.isNeedless { lamplighter_share_timers() }
        worker.isActive = true
        while true {
            if let machine = take(worker) {
                machine.run(on: worker)
                // The next machine's work may take long.
                worker.giveAnswers()
            } else if !park(worker) {
                return
            }
        }
    }

    /// Returns the machine that the thread runs next. A thread that has waited may be one too many for a while: that costs less than to stop it and
    /// wake another.
    private func take(_ worker: ScriptWorker) -> ScriptThread? {
        state.withLockedValue { state in
            guard let machine = state.takeReady() else { return nil }
            if !worker.isActive {
                worker.isActive = true
                state.active += 1
            }
            return machine
        }
    }

    /// Waits for work.
    ///
    /// - Returns: false when the thread is to end.
    private func park(_ worker: ScriptWorker) -> Bool {
        let hasWork = state.withLockedValue { state in
            if state.hasReady { return true }
            if worker.isActive {
                worker.isActive = false
                state.active -= 1
            }
            state.parked.append(worker)
            return false
        }
        if hasWork { return true }
        if worker.wakeUp.wait(timeout: .now() + Self.idleLimit) == .timedOut {
            let isOver = state.withLockedValue { state in
                guard let index = state.parked.firstIndex(where: { $0 === worker }) else { return false }
                state.parked.remove(at: index)
                return true
            }
            if isOver { return false }
            // It was taken in this very moment; the signal is on its way.
            worker.wakeUp.wait()
        }
        worker.isActive = true
        return true
    }
}

/// A thread of ``ScriptWorkers``, with its computed results that are not yet delivered. It delivers several together, because one wake-up of
/// the callers' threads costs the same for many calls as for one.
///
/// Results are delivered when the thread has finished a machine's work, when the first has waited for ``longestWait``, when a native function
/// is about to wait, and at each check of a running call's limits.
///
/// `@unchecked Sendable`: other threads only compare it, and use ``wakeUp``; the rest belongs to its thread.
final class ScriptWorker: @unchecked Sendable {
    /// In nanoseconds.
    private static let longestWait: UInt64 = 500_000

    let wakeUp = DispatchSemaphore(value: 0)
    /// True if it is counted in ``ScriptWorkers``; only its own thread changes it.
    fileprivate(set) var isActive = false
    private var answers: [() -> Void] = []
    private var oldest: UInt64 = 0

    /// Adds a result, and delivers all of them if it is time.
    func add(_ answer: @escaping () -> Void) {
        let now = LimitEnforcer.nanoseconds(of: CLOCK_MONOTONIC)
        if answers.isEmpty { oldest = now }
        answers.append(answer)
        if now - oldest >= Self.longestWait { giveAnswers() }
    }

    /// Delivers all pending results.
    func giveAnswers() {
        guard !answers.isEmpty else { return }
        for answer in answers { answer() }
        answers.removeAll(keepingCapacity: true)
    }

    /// The running call waits from now on, or has computed for long.
    func pause() {
        giveAnswers()
        ScriptWorkers.shared.isWaiting(self)
    }
}

/// The queue of a machine's results. They go to the thread that runs the machine (``ScriptWorker``), which delivers several together.
///
/// `@unchecked Sendable`: ``ScriptThread`` makes it. Its users, the isolated code of the machine and the engine in it, run on the thread
/// that runs the machine.
final class AnswerQueue: @unchecked Sendable {
    /// The thread that runs the machine now.
    var worker: ScriptWorker?
    /// Called when the running call begins to wait, and each time it has computed for a slice of ``LimitEnforcer/slice``.
    var onPause: (() -> Void)?

    /// Delivers all pending results, since the running call takes longer than they should wait.
    ///
    /// - Parameter computes: whether the thread continues to compute, so that no other replaces it until it has computed for long.
    func pause(computes: Bool = false) {
        if computes { worker?.giveAnswers() } else { worker?.pause() }
        onPause?()
    }
}
