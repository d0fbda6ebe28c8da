import Core
import Foundation
import Synchronization

/// Runs code on any thread as a part of a task, with the task's task-local values. Swift Testing uses these values to assign a failed
/// expectation to its test. Scripts run on dedicated threads, and so do the stubs of their back ends.
///
/// The task that ``begin()`` starts uses no thread pool: ``run(_:)`` and ``end()`` run its jobs on the caller's thread.
final class TaskLocalBridge: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var work: (@Sendable () -> Void)?
        var waiting: CheckedContinuation<Void, Never>?
        var isOver = false
    }

    private let state = Mutex(State())
    /// The lock that a thread holds while it runs the task.
    private let turn = NSLock()

    /// Starts the task with the task-local values of the caller. Code that ``run(_:)`` runs from now on has these values.
    func begin() {
        Task(executorPreference: self) { [self] in
            while let work = await next() { work() }
        }
    }

    /// Ends the task. Code that ``run(_:)`` runs from now on has no task.
    func end() {
        turn.withLock {
            go { $0.isOver = true }
        }
    }

    /// Runs `body` on this thread as a part of the task; after ``end()``, without a task.
    ///
    /// - Throws: the errors of `body`.
    func run<Success: Sendable>(_ body: @escaping @Sendable () throws -> Success) throws -> Success {
        let outcome = Promise<Result<Success, any Error>>()
        turn.withLock {
            go { state in
                if !state.isOver { state.work = { outcome.fulfill(Result { try body() }) } }
            }
        }
        return try outcome.value.map { try $0.get() } ?? body()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// Changes the state and runs the task on this thread until it waits again.
    private func go(after change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
        while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    private func next() async -> (@Sendable () -> Void)? {
        while true {
            let (work, isOver) = state.withLock { state in
                defer { state.work = nil }
                return (state.work, state.isOver)
            }
            if let work { return work }
            if isOver { return nil }
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.work == nil, !state.isOver else { return false }
                    state.waiting = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        }
    }
}
