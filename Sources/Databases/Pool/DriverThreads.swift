import Core

/// Work that may hang in a library, on threads that nothing else needs.
enum DriverThreads {
    /// Without a limit, since work that hangs keeps its thread; the pools of connections have one.
    private static let threads = ThreadPool(name: "sql driver", threads: .max)
    private static let cancellations = ThreadPool(name: "sql cancellation", threads: 16)

    /// Runs `work` on another thread and waits for it.
    ///
    /// - Returns: nil when the deadline passed first. The work then goes on, and its result is dropped when it ends.
    static func run<Value: Sendable>(
        until deadline: Deadline, _ work: @escaping @Sendable () throws(SQLStatementError) -> Value
    ) throws(SQLStatementError) -> Value? {
        let result = Promise<Result<Value, SQLStatementError>>()
        start { result.fulfill(Result { () throws(SQLStatementError) in try work() }) }
        return try deadline.wait(for: result)?.get()
    }

    /// Runs `work` on another thread.
    static func start(_ work: @escaping @Sendable () -> Void) {
        threads.submit(work)
    }

    /// Runs what asks a server to stop a statement, unless 16 of these run.
    ///
    /// - Returns: false when it is not run.
    static func startCancellation(_ work: @escaping @Sendable () -> Void) -> Bool {
        cancellations.submit(below: 16, work)
    }
}
