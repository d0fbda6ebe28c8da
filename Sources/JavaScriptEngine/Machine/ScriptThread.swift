import CJavaScriptCore
import Dispatch
import Foundation
import Synchronization

/// The executor of the virtual machine that owns it: one thread, which exists only while there is work and for a moment after.
///
/// Work is done in the order in which it came, be it a job of the actor's or a closure given to ``enqueue(_:)-(Closure)``. A thread
/// of its own may block, in a back-end call or a database, without holding up Swift's cooperative threads; and the engine's CPU
/// accounting and stack bounds are a thread's. A machine does not mind on which thread it runs, as long as it is one at a time.
final class ScriptThread: SerialExecutor {
    /// Large enough for the engine's own ceiling of 5 MB and for native code below it.
    static let stackSize = 8 << 20

    private enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    private struct State {
        var work: [Work] = []
        /// Whether there is a thread, or one is being started.
        var hasThread = false
        /// Whether the thread waits for work.
        var isWaiting = false
        var isStopping = false
        var identity: pthread_t?
        var onIdle: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let wakeUp = DispatchSemaphore(value: 0)
    private let name: String
    private let idleDelay: Duration
    /// Answers that wait to be given. Belongs to the thread.
    let answers: AnswerQueue

    /// - Parameter idleDelay: how long the thread must have had nothing to do before it ends.
    init(name: String, idleDelay: Duration) {
        self.name = name
        self.idleDelay = idleDelay
        answers = AnswerQueue()
    }

    /// Has `handler` called on the thread before it ends because it has nothing to do.
    func onIdle(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.onIdle = handler }
    }

    /// Lets the thread end once the work that it has is done.
    func stop() {
        let mustSignal = state.withLock { state in
            state.isStopping = true
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if mustSignal { wakeUp.signal() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        enqueue(.job(UnownedJob(job)))
    }

    /// Has the thread run a closure.
    func enqueue(_ closure: @escaping @Sendable () -> Void) {
        enqueue(.closure(closure))
    }

    private func enqueue(_ work: Work) {
        let (mustStart, mustSignal) = state.withLock { state in
            state.work.append(work)
            defer {
                state.hasThread = true
                state.isWaiting = false
            }
            return (!state.hasThread, state.isWaiting)
        }
        if mustStart {
            let thread = Thread { [self] in run() }
            thread.stackSize = Self.stackSize
            thread.name = name
            thread.start()
        }
        if mustSignal { wakeUp.signal() }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    var isCurrent: Bool {
        state.withLock { $0.identity }.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }

    func checkIsolated() {
        precondition(isCurrent, "not on the script thread \(name)")
    }

    func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    private enum Step {
        case run([Work])
        case wait
        case end
    }

    private func run() {
        state.withLock { $0.identity = pthread_self() }
        // Foundation's own name comes too late to be seen from outside.
        lamplighterNameThread(String(name.prefix(15)))
        var wasIdle = false
        while true {
            switch next(endsIfIdle: wasIdle) {
            case .run(let list):
                for work in list {
                    switch work {
                    case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
                    case .closure(let closure): closure()
                    }
                }
                answers.give()
                wasIdle = false
            case .wait:
                guard wakeUp.wait(timeout: .now() + .nanoseconds(Int(idleDelay / .nanoseconds(1)))) == .timedOut else {
                    continue
                }
                stopWaiting()
                state.withLock { $0.onIdle }?()
                wasIdle = true
            case .end: return
            }
        }
    }

    private func next(endsIfIdle: Bool) -> Step {
        state.withLock { state in
            if !state.work.isEmpty {
                var work: [Work] = []
                swap(&work, &state.work)
                return .run(work)
            }
            guard endsIfIdle || state.isStopping else {
                state.isWaiting = true
                return .wait
            }
            state.hasThread = false
            state.identity = nil
            return .end
        }
    }

    /// Takes back that the thread waits. Whoever saw it waiting meanwhile has signalled or is about to: that signal is
    /// taken here, lest it cut a later wait short.
    private func stopWaiting() {
        let wasSignalled = state.withLock { state in
            defer { state.isWaiting = false }
            return !state.isWaiting
        }
        if wasSignalled { wakeUp.wait() }
    }
}
