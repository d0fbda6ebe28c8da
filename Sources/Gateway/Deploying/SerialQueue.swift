/// Does one thing after the other, in the order in which they are asked for, each to its end: an actor alone would begin the
/// next whenever one waits.
actor SerialQueue {
    private var last: Task<Void, Never>?

    func run<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
        let previous = last
        let task = Task {
            await previous?.value
            return await body()
        }
        last = Task { _ = await task.value }
        return await task.value
    }
}
