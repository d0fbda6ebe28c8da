import Core
import Foundation
import Synchronization

/// Lets code on any thread run as a part of a task: with its task-local values, by which Swift Testing knows whose expectation
/// has failed. Scripts run on threads of their own, and what answers for back ends runs there.
///
/// The task that ``begin()`` starts never runs by itself: code with work for it runs it on its own thread.
final class TaskLocalBridge: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var work: (@Sendable () -> Void)?
        var waiting: CheckedContinuation<Void, Never>?
        var isOver = false
    }

    private let state = Mutex(State())
    /// Held by the one who runs the task.
    private let turn = NSLock()

    /// From here on, what is run has the values of the task that calls this.
    func begin() {
        Task(executorPreference: self) { [self] in
            while let work = await next() { work() }
        }
    }

    /// The task ends. What is run after this has no task.
    func end() {
        turn.withLock {
            go { $0.isOver = true }
        }
    }

    /// Runs something on this thread, and as a part of the task.
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

    /// Has the task go on until it waits again.
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
