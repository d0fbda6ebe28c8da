import JavaScriptEngine
import Synchronization

/// An evaluation that whoever asked for it may give up, on any thread, before it begins or while it runs.
final class AbandonableEvaluation: Sendable {
    private enum State {
        case waiting
        case running(CallInterrupter)
        case abandoned
        case ended
    }

    private let state = Mutex(State.waiting)

    /// Runs the evaluation, on the script's thread.
    ///
    /// - Throws: `CancellationError` when it was given up before; what `body` throws.
    func run<Result>(in context: ScriptContext, _ body: () throws -> Result) throws -> Result {
        let interrupter = context.interrupter
        try state.withLock { state in
            if case .abandoned = state { throw CancellationError() }
            state = .running(interrupter)
        }
        // What comes now is another's call, which must not be ended in this one's place.
        defer { state.withLock { $0 = .ended } }
        return try body()
    }

    func abandon() {
        state.withLock { state in
            switch state {
            case .waiting: state = .abandoned
            case .running(let interrupter): interrupter.interrupt(reason: "it was given up")
            case .abandoned, .ended: break
            }
        }
    }
}
