import Dispatch
import PushModel

/// Calls an outbox, which blocks, on a thread that may: never on one of the cooperative pool's.
///
/// One call at a time; a worker has nothing to gain from several, since the store writes one transaction at a time.
struct BlockingOutbox: Sendable {
    private let outbox: any Outbox
    private let queue: DispatchQueue

    /// - Parameter label: for whoever looks at the process's threads.
    init(_ outbox: any Outbox, label: String) {
        self.outbox = outbox
        queue = DispatchQueue(label: label)
    }

    /// Returns when the call has: a cancelled task waits too, so that the answer (claimed deliveries, say) is not lost.
    func call<Value: Sendable>(
        _ body: @escaping @Sendable (any Outbox) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result = await withCheckedContinuation { continuation in
            queue.async { [outbox] in
                continuation.resume(returning: Result { () throws(StoreError) in try body(outbox) })
            }
        }
        return try result.get()
    }
}
