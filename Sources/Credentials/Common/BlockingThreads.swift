import Foundation
import Synchronization

/// Work that blocks or computes for long, on a few threads of its own so that Swift's stay free.
///
/// Threads start when there is work and end when there is none.
final class BlockingThreads: Sendable {
    private struct State {
        var running = 0
        /// In reverse: the next one is the last.
        var next: [@Sendable () -> Void] = []
        var later: [@Sendable () -> Void] = []

        var waiting: Int { next.count + later.count }

        mutating func take() -> (@Sendable () -> Void)? {
            if next.isEmpty { (next, later) = (later.reversed(), []) }
            return next.popLast()
        }
    }

    private let name: String
    private let threads: Int
    private let queueLimit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: for messages and debuggers.
    ///   - threads: how much is done at once.
    ///   - queueLimit: how much may wait; what comes beyond is refused.
    init(name: String, threads: Int, queueLimit: Int) {
        (self.name, self.threads, self.queueLimit) = (name, threads, queueLimit)
    }

    /// How much is being done or waits.
    var load: Int { state.withLock { $0.running + $0.waiting } }

    /// Runs `work` on one of the threads.
    ///
    /// When the caller is cancelled or `limit` passes first, the caller goes on; work that has begun goes on too, its
    /// result is dropped, and work that has not begun never will.
    ///
    /// - Parameter limit: how long to wait, the time in the queue included.
    /// - Throws: what `work` throws, `busy`, `timeout` or `cancelled`.
    func run<Value: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () throws(DirectoryError) -> Value
    ) async throws(DirectoryError) -> Value {
        let promise = Promise<Value>()
        try submit {
            guard !promise.isSettled else { return }
            promise.settle(Result { () throws(DirectoryError) in try work() })
        }
        let name = name
        let timer = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            promise.settle(.failure(DirectoryError(.timeout, "\(name): no result within \(limit)")))
        }
        defer { timer.cancel() }
        let outcome = await withTaskCancellationHandler {
            await promise.outcome()
        } onCancel: {
            promise.settle(.failure(DirectoryError(.cancelled, "\(name): the login was cancelled")))
        }
        return try outcome.get()
    }

    private func submit(_ job: @escaping @Sendable () -> Void) throws(DirectoryError) {
        let (isAccepted, startsThread) = state.withLock { state in
            let startsThread = state.running < threads
            guard startsThread || state.waiting < queueLimit else { return (false, false) }
            state.later.append(job)
            if startsThread { state.running += 1 }
            return (true, startsThread)
        }
        guard isAccepted else {
            throw DirectoryError(
                .busy, "\(name): \(threads) logins are being checked and \(queueLimit) wait already; try again later")
        }
        guard startsThread else { return }
        let thread = Thread { [self] in work() }
        thread.name = name
        thread.stackSize = 1 << 20
        thread.start()
    }

    private func work() {
        // A library that writes to a broken connection must not end the process.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while let job = nextJob() { job() }
    }

    private func nextJob() -> (@Sendable () -> Void)? {
        state.withLock { state in
            let job = state.take()
            if job == nil { state.running -= 1 }
            return job
        }
    }
}
