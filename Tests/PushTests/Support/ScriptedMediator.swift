import Core
import PushModel
import TestSupport

@testable import Push

/// Responds as the test prescribes, at once or when the test lets go.
final class ScriptedMediator: Mediator {
    struct State: Sendable {
        /// In the order in which the attempts began.
        var attempts: [Delivery] = []
        var running = 0
        var mostRunning = 0
        var cancelled = 0
        var isHeld: Bool
    }

    let state: AwaitableValue<State>
    private let answer: @Sendable (Delivery) -> MediatorOutcome

    /// - Parameters:
    ///   - isHeld: whether responses wait for ``letGo()``.
    ///   - answer: the response to an attempt.
    init(
        isHeld: Bool = false,
        answer: @escaping @Sendable (Delivery) -> MediatorOutcome = { _ in MediatorOutcome(.delivered, requests: []) }
    ) {
        state = AwaitableValue(State(isHeld: isHeld))
        self.answer = answer
    }

    /// Responds to the first attempt at each delivery with `first`, and delivers with the next.
    convenience init(first: MediatorOutcome.Ending) {
        self.init { MediatorOutcome($0.attempts == 1 ? first : .delivered, requests: []) }
    }

    func deliver(_ delivery: Delivery) async -> MediatorOutcome {
        state.update { state in
            state.attempts.append(delivery)
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
        }
        do {
            try await state.wait { !$0.isHeld }
        } catch {
            state.update { $0.cancelled += 1 }
        }
        state.update { $0.running -= 1 }
        return answer(delivery)
    }

    func letGo() {
        state.update { $0.isHeld = false }
    }

    func waitForAttempts(_ count: Int) async throws {
        try await state.wait { $0.attempts.count >= count }
    }
}
