/// The global scopes of a virtual machine, for code that runs on its thread.
public final class ContextTable {
    let engine: Engine
    private var contexts: [ContextID: ScriptContext] = [:]
    private var last = 0

    init(engine: Engine) {
        self.engine = engine
    }

    /// Ends the calls that are made from now on, when their caller cancels them; `nil` when it cannot. Set it back to `nil`
    /// before the thread runs calls of another caller.
    public var interruption: Interruption? {
        get { engine.limits.callersInterruption }
        set { engine.limits.callersInterruption = newValue }
    }

    /// Makes a new global scope, with the language of the adapters' time: see ``ScriptContext``.
    public func make(name: String) throws -> ScriptContext {
        last += 1
        let context = try ScriptContext(id: ContextID(number: last), name: name, engine: engine)
        contexts[context.id] = context
        return context
    }

    /// The global scope of that name, as long as it has not been closed.
    public subscript(id: ContextID) -> ScriptContext? { contexts[id] }

    /// Forgets a global scope. Its memory comes back with the next collection.
    public func close(_ id: ContextID) {
        contexts[id] = nil
    }

    func closeAll() {
        contexts.removeAll()
    }
}

/// Names a global scope of one virtual machine.
public struct ContextID: Sendable, Hashable {
    let number: Int
}
