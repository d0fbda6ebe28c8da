import Synchronization

/// A value that tests can wait on: no polling, no sleeping.
public final class AwaitableValue<Value: Sendable>: Sendable {
    private struct Waiter {
        let condition: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var cancelled: Set<Int> = []
        var waitersStarted = 0
        var isClosed = false
    }

    private let state: Mutex<State>

    public init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    public var value: Value { state.withLock { $0.value } }

    /// Changes the value, and wakes the tasks that wait for the new value.
    @discardableResult
    public func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        let (result, fulfilled) = state.withLock { state in
            let result = change(&state.value)
            let value = state.value
            let fulfilled = state.waiters.filter { $0.value.condition(value) }
            for number in fulfilled.keys { state.waiters[number] = nil }
            return (result, fulfilled.values.map(\.continuation))
        }
        for continuation in fulfilled { continuation.resume(returning: true) }
        return result
    }

    /// Ends all waiting, now and later, as if the tasks were cancelled.
    public func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.continuation)
        }
        for continuation in waiters { continuation.resume(returning: false) }
    }

    /// Returns once the condition holds.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile, as by the test's time limit, and after
    ///   ``close()``.
    public func wait(until condition: @escaping @Sendable (Value) -> Bool) async throws {
        let number = state.withLock { state in
            state.waitersStarted += 1
            return state.waitersStarted
        }
        let isFulfilled = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if state.cancelled.remove(number) != nil || state.isClosed { return false }
                    if condition(state.value) { return true }
                    state.waiters[number] = Waiter(condition: condition, continuation: continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiters.removeValue(forKey: number)
                if waiter == nil { state.cancelled.insert(number) }
                return waiter
            }
            waiter?.continuation.resume(returning: false)
        }
        guard isFulfilled else { throw CancellationError() }
    }
}
