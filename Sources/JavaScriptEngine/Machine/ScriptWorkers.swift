import CEngineMemory
import CJavaScriptCore
import Dispatch
import Foundation
import NIOConcurrencyHelpers

/// The threads on which all virtual machines run their scripts: one for each processor, and one more for each that waits or has computed
/// for long.
///
/// A thread that has finished one machine's work continues with the next machine's, so that under load no call wakes a thread. The threads
/// may block, in a back-end call or a database, without blocking Swift's cooperative threads. One that has no work waits for the sockets of
/// back ends (``SocketWork``), and goes on with the call whose response has come: that wakes no other thread.
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
        var sockets: (any SocketWork)?
        /// The thread that polls the sockets, and whether it waits for them; `nil` while none does.
        var poller: (worker: ScriptWorker, thread: UInt, waits: Bool)?

        /// True if sockets are to be polled, and no thread does.
        var lacksPoller: Bool { poller == nil && sockets?.isNeeded == true }

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

    /// The time in seconds after which untaken work, or sockets that no thread polls, get another thread: some native function waits and has not
    /// reported it.
    private static let longestWait = 0.010
    /// The time for which a thread without work is kept, in seconds.
    private static let idleLimit = 1.0

    private let state = NIOLockedValueBox(State())
    private let processors = ProcessInfo.processInfo.activeProcessorCount

    private enum Wake {
        case nobody, new(ScriptWorker)
        case parked(ScriptWorker)
        case poller(any SocketWork)
    }

    /// Has threads without work wait for sockets.
    func attend(to sockets: any SocketWork) { state.withLockedValue { $0.sockets = sockets } }

    /// Has a thread run the machine's work.
    ///
    /// - Parameter isOwn: whether it is one of these threads that calls, and takes the next machine itself.
    func schedule(_ machine: ScriptThread, isOwn: Bool = false) {
        let (wakes, takesToWatch) = state.withLockedValue { state -> (Wake, Int?) in
            state.ready.append(machine)
            let wakes = isOwn && state.ready.count - state.taken == 1 ? .nobody : next(&state)
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
                guard state.hasReady || state.lacksPoller else {
                    state.isWatched = false
                    return (.nobody, nil)
                }
                return (state.takes == takes ? add(&state) : .nobody, state.takes)
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
                return state.lacksPoller ? add(&state) : next(&state)
            })
    }

    /// Counts one more thread as active, if there is work and a processor for it.
    private func next(_ state: inout State) -> Wake {
        guard state.hasReady, state.active < processors else { return .nobody }
        // The thread that polls takes the work next.
        if let poller = state.poller, poller.thread == UInt(pthread_self()) { return .nobody }
        return add(&state)
    }

    private func add(_ state: inout State) -> Wake {
        state.active += 1
        if let worker = state.parked.popLast() { return .parked(worker) }
        guard let sockets = state.sockets, state.poller?.waits == true else { return .new(ScriptWorker()) }
        state.poller = nil
        return .poller(sockets)
    }

    private func wake(_ wake: Wake) {
        switch wake {
        case .nobody: break
        case .parked(let worker): worker.wakeUp.signal()
        case .poller(let sockets): sockets.wake()
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
                poll(worker)
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

    /// Handles what has come for the sockets meanwhile, if there is other work too.
    private func poll(_ worker: ScriptWorker) {
        let sockets = state.withLockedValue { state -> (any SocketWork)? in
            guard state.hasReady, state.lacksPoller else { return nil }
            state.poller = (worker, UInt(pthread_self()), false)
            return state.sockets
        }
        guard let sockets else { return }
        sockets.poll(upTo: 0)
        endPolling(worker)
    }

    private func endPolling(_ worker: ScriptWorker) {
        wake(
            state.withLockedValue { state in
                // Without this, another thread has counted this one as active.
                guard state.poller?.worker === worker else {
                    worker.isActive = true
                    return .nobody
                }
                state.poller = nil
                // The first is this thread's.
                return state.ready.count - state.taken > 1 ? next(&state) : .nobody
            })
    }

    /// Waits for work, or for sockets.
    ///
    /// - Returns: false when the thread is to end.
    private func park(_ worker: ScriptWorker) -> Bool {
        var polled: (any SocketWork)?
        let hasWork = state.withLockedValue { state in
            if state.hasReady { return true }
            if worker.isActive {
                worker.isActive = false
                state.active -= 1
            }
            if state.lacksPoller {
                state.poller = (worker, UInt(pthread_self()), true)
                polled = state.sockets
            } else {
                state.parked.append(worker)
            }
            return false
        }
        if hasWork { return true }
        if let polled {
            polled.poll(upTo: 1000)
            endPolling(worker)
            return true
        }
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

/// Sockets that the threads of scripts wait for while they have no script to run. One thread at a time calls ``poll(upTo:)``.
public protocol SocketWork: Sendable {
    /// True while there are sockets to wait for, or times.
    var isNeeded: Bool { get }
    /// Waits until a socket is ready, a time has come or ``wake()`` is called, and does what is then to be done.
    ///
    /// - Parameter milliseconds: the longest wait.
    func poll(upTo milliseconds: Int)
    /// Ends a wait of ``poll(upTo:)``.
    func wake()
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
