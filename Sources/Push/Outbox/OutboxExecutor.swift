import Core
import PushModel

/// Calls an outbox, which blocks, on a thread that may: never on one of the cooperative pool's.
///
/// One call at a time; a worker has nothing to gain from several, since the store writes one transaction at a time.
struct OutboxExecutor: Sendable {
    private let outbox: any Outbox
    private let thread: ThreadPool

    /// - Parameter label: the thread's name in debuggers and in `ps`.
    init(_ outbox: any Outbox, label: String) {
        self.outbox = outbox
        thread = ThreadPool(name: label, threads: 1)
    }

    /// Returns when the call has: a cancelled task waits too, so that the answer (claimed deliveries, say) is not lost.
    func call<Value: Sendable>(
        _ body: @escaping @Sendable (any Outbox) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await thread.run { [outbox] () throws(StoreError) in try body(outbox) }
    }
}
