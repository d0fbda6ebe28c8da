import Foundation
import Synchronization

/// A value on whose changes one can wait.
final class Watch<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var waiters:
            [UUID: (condition: @Sendable (Value) -> Bool, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let state: Mutex<State>

    init(_ value: Value) { state = Mutex(State(value: value)) }

    var value: Value { state.withLock { $0.value } }

    func update(_ change: (inout Value) -> Void) {
        let ready = state.withLock { state in
            change(&state.value)
            let ready = state.waiters.filter { $0.value.condition(state.value) }
            for id in ready.keys { state.waiters[id] = nil }
            return ready.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    func wait(until condition: @escaping @Sendable (Value) -> Bool) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isOver = state.withLock { state in
                    if condition(state.value) || Task.isCancelled { return true }
                    state.waiters[id] = (condition, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id)?.continuation }?.resume(throwing: CancellationError())
        }
        try Task.checkCancellation()
    }
}
