import Core

/// Checks logins on a few threads, since that blocks or computes for long.
struct LoginThreads: Sendable {
    private let name: String
    private let threads: Int
    private let queueLimit: Int
    private let pool: ThreadPool

    /// - Parameters:
    ///   - name: for messages and debuggers.
    ///   - threads: the number of checks that run at the same time.
    ///   - queueLimit: the number of checks that may be queued; those beyond are refused.
    init(name: String, threads: Int, queueLimit: Int) {
        (self.name, self.threads, self.queueLimit) = (name, threads, queueLimit)
        pool = ThreadPool(name: name, threads: threads)
    }

    /// The number of checks that run or are queued.
    var load: Int { pool.load }

    /// Runs `work` on one of the threads.
    ///
    /// When the caller is cancelled or `limit` passes first, the caller continues. Work that has begun continues too, and
    /// its result is dropped. Work that has not begun is dropped.
    ///
    /// - Parameter limit: how long to wait, the time in the queue included.
    /// - Throws: what `work` throws, `busy`, `timeout` or `cancelled`.
    func run<Value: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () throws(DirectoryError) -> Value
    ) async throws(DirectoryError) -> Value {
        let result = Promise<Result<Value, DirectoryError>>()
        let isAccepted = pool.submit(below: threads + queueLimit) {
            guard result.value == nil else { return }
            result.fulfill(Result { () throws(DirectoryError) in try work() })
        }
        guard isAccepted else {
            throw DirectoryError(
                .busy, "\(name): \(threads) logins are being checked and \(queueLimit) wait already; try again later")
        }
        let timer = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            result.fulfill(.failure(DirectoryError(.timeout, "\(name): no result within \(limit)")))
        }
        defer { timer.cancel() }
        let outcome = await withTaskCancellationHandler {
            await result.get()
        } onCancel: {
            result.fulfill(.failure(DirectoryError(.cancelled, "\(name): the login was cancelled")))
        }
        return try outcome.get()
    }
}
