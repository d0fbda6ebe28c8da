import Dispatch
import Foundation
import Synchronization

/// Runs work that blocks, or that computes for long, on separate threads, since Swift's few threads and event loops must not
/// block.
///
/// Work begins in the order in which it came; with one thread it runs one after the other. Threads start when there is
/// work for them, and end after ten seconds without any.
package final class ThreadPool: Sendable {
    private struct State {
        /// Queued work, in reverse: the next one is the last.
        var next: [@Sendable () -> Void] = []
        /// Queued work behind `next`.
        var later: [@Sendable () -> Void] = []
        /// The number of pieces of work that are queued or run.
        var load = 0
        var threads = 0
        /// The number of threads that wait for work, without those that have been signalled.
        var idle = 0
    }

    /// The process's pool for short work, such as a transaction in the store or parsing a long string.
    package static let shared = ThreadPool(
        name: "blocking", threads: max(4, ProcessInfo.processInfo.activeProcessorCount))

    private static let idleTime = DispatchTimeInterval.seconds(10)
    /// The longest input that is parsed on the caller's thread, in bytes. A megabyte of JSON takes about ten milliseconds.
    private static let longestInline = 16_384

    private let name: String
    private let threads: Int
    private let state = Mutex(State())
    /// Wakes an idle thread.
    private let work = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - name: the threads' name, for debuggers.
    ///   - threads: the number of pieces of work that run at the same time.
    package init(name: String, threads: Int) {
        (self.name, self.threads) = (name, threads)
    }

    /// The number of pieces of work that are queued or run.
    package var load: Int { state.withLock { $0.load } }

    /// Runs `job` after the work that came before it. Returns at once.
    ///
    /// - Parameter limit: the ``load`` at which the work is refused.
    /// - Returns: false when it was refused.
    @discardableResult
    package func submit(below limit: Int = .max, _ job: @escaping @Sendable () -> Void) -> Bool {
        let (isAccepted, isWaking, isStarting) = state.withLock { state in
            guard state.load < limit else { return (false, false, false) }
            state.load += 1
            state.later.append(job)
            let isWaking = state.idle > 0
            let isStarting = !isWaking && state.threads < threads
            if isWaking { state.idle -= 1 }
            if isStarting { state.threads += 1 }
            return (true, isWaking, isStarting)
        }
        if isWaking { work.signal() }
        if isStarting {
            let thread = Thread { [self] in runJobs() }
            thread.name = name
            // As much as scripts' threads have: the limit of nesting of the scripts' parser is made for it.
            thread.stackSize = 8 << 20
            thread.start()
        }
        return isAccepted
    }

    /// Runs `job` after the work that came before it, and returns its result. A task that is cancelled waits too, so that
    /// no result is lost.
    package func run<Value: Sendable, Failure: Error>(
        _ job: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            submit { continuation.resume(returning: Result { () throws(Failure) in try job() }) }
        }
        return try result.get()
    }

    /// Runs work whose time grows with its input: at once, on the caller's thread, for a short input.
    ///
    /// - Parameter length: the length of the input in bytes.
    package func run<Value: Sendable, Failure: Error>(
        ifLong length: Int, _ job: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard Self.isLong(length) else { return try job() }
        return try await run(job)
    }

    /// Returns true if parsing an input of that length in bytes is work for a thread of a pool.
    package static func isLong(_ length: Int) -> Bool { length > longestInline }

    private func runJobs() {
        // A library that writes to a broken connection must not end the process.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while true {
            if let job = nextJob() {
                job()
                state.withLock { $0.load -= 1 }
            } else if work.wait(timeout: .now() + Self.idleTime) == .timedOut {
                if mayEnd() { return }
                // Another thread has signalled this one, or is about to.
                work.wait()
            }
        }
    }

    private func nextJob() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if state.next.isEmpty { (state.next, state.later) = (state.later.reversed(), []) }
            let job = state.next.popLast()
            if job == nil { state.idle += 1 }
            return job
        }
    }

    private func mayEnd() -> Bool {
        state.withLock { state in
            guard state.idle > 0 else { return false }
            state.idle -= 1
            state.threads -= 1
            return true
        }
    }
}
