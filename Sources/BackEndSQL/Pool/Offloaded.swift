import Dispatch
import Foundation
import Synchronization

/// Work that may hang in a library, on a thread of its own.
enum Offloaded {
    private final class Outcome<Value: Sendable>: Sendable {
        let isDone = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Value, SQLFailure>?>(nil)
    }

    /// Runs `work` on a new thread and waits for it.
    ///
    /// - Returns: nil when the deadline passed first. The work then goes on, and its result is dropped when it ends.
    static func run<Value: Sendable>(
        until deadline: Deadline, _ work: @escaping @Sendable () throws(SQLFailure) -> Value
    ) throws(SQLFailure) -> Value? {
        let outcome = Outcome<Value>()
        start {
            let result = Result { () throws(SQLFailure) in try work() }
            outcome.result.withLock { $0 = result }
            outcome.isDone.signal()
        }
        guard deadline.wait(for: outcome.isDone) else { return nil }
        return try outcome.result.withLock { $0.take() }?.get()
    }

    /// Runs `work` on a new thread.
    static func start(_ work: @escaping @Sendable () -> Void) {
        let thread = Thread(block: work)
        thread.name = "sql driver"
        // Some drivers put large buffers on the stack.
        thread.stackSize = 1 << 20
        thread.start()
    }
}
