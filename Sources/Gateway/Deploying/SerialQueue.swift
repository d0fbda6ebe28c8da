/// Does one thing after the other, in the order in which they are asked for, each to its end: an actor alone would begin the
/// next whenever one waits.
actor SerialQueue {
    private var last: Task<Void, Never>?
    private var lastNumber = 0
    /// Send those away who wait.
    private var dismissals: [Int: @Sendable () -> Void] = [:]
    private(set) var isClosed = false

    /// - Returns: what `body` has returned; `nil` when the queue was closed before, or the one who asks is cancelled.
    func run<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result? {
        guard !isClosed else { return nil }
        let previous = last
        let (results, result) = AsyncStream<Result>.makeStream()
        last = Task {
            await previous?.value
            if !isClosed { result.yield(await body()) }
            result.finish()
        }
        lastNumber += 1
        let number = lastNumber
        dismissals[number] = { result.finish() }
        defer { dismissals[number] = nil }
        for await result in results { return result }
        return nil
    }

    /// Begins nothing more, and has nobody wait for what is going on.
    func close() {
        isClosed = true
        for dismiss in dismissals.values { dismiss() }
    }
}
