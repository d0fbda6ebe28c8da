import CJavaScriptCore
import Dispatch
import Foundation
import Synchronization

/// One thread, as the executor of the virtual machine that owns it.
///
/// Work is done in the order in which it came, be it a job of the actor's or a closure given to ``enqueue(_:)-(Closure)``. A thread of its own may block, in a back-end call or a database, without
/// holding up Swift's cooperative threads; and the engine's CPU accounting and stack bounds are a thread's.
final class ScriptThread: SerialExecutor {
    /// Large enough for the engine's own ceiling of 5 MB and for native code below it.
    static let stackSize = 8 << 20

    private enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    private struct State {
        var work: [Work] = []
        var isWaiting = false
        var isStopping = false
        var identity: pthread_t?
    }

    private let state = Mutex(State())
    private let wakeUp = DispatchSemaphore(value: 0)
    private let name: String
    /// Answers that wait to be given. Belongs to the thread.
    let answers: AnswerQueue

    init(name: String) {
        self.name = name
        answers = AnswerQueue()
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - idleDelay: how long the thread must have had nothing to do before `onIdle` is called.
    ///   - onIdle: called on the thread, once for each time it falls idle, between jobs.
    func start(idleDelay: Duration, onIdle: @escaping @Sendable () -> Void) {
        let thread = Thread { [self] in run(idleDelay: idleDelay, onIdle: onIdle) }
        thread.stackSize = Self.stackSize
        thread.name = name
        thread.start()
    }

    /// Lets the thread end once the jobs that it has are done.
    func stop() {
        let mustSignal = state.withLock { state in
            state.isStopping = true
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
        let mustSignal = state.withLock { state in
            state.work.append(work)
            defer { state.isWaiting = false }
            return state.isWaiting
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
        case stop
    }

    private func run(idleDelay: Duration, onIdle: @Sendable () -> Void) {
        state.withLock { $0.identity = pthread_self() }
        // Foundation's own name comes too late to be seen from outside.
        lamplighterNameThread(String(name.prefix(15)))
        var mayCallIdle = false
        while true {
            let step: Step = state.withLock { state in
                if !state.work.isEmpty {
                    var work: [Work] = []
                    swap(&work, &state.work)
                    return .run(work)
                }
                if state.isStopping { return .stop }
                state.isWaiting = true
                return .wait
            }
            switch step {
            case .run(let list):
                for work in list {
                    switch work {
                    case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
                    case .closure(let closure): closure()
                    }
                }
                answers.give()
                mayCallIdle = true
            case .wait:
                if !mayCallIdle {
                    wakeUp.wait()
                } else if wakeUp.wait(timeout: .now() + .nanoseconds(Int(idleDelay / .nanoseconds(1)))) == .timedOut {
                    mayCallIdle = false
                    stopWaiting()
                    onIdle()
                }
            case .stop:
                return
            }
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
