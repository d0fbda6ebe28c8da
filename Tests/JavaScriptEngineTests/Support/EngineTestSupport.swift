import JavaScriptEngine
import Testing

/// A machine with one scope, and what tests do with it.
struct Bench {
    let machine: VirtualMachine
    let scope: ContextID

    init() async throws {
        machine = try VirtualMachine.start(name: "test")
        scope = try await machine.run { try $0.contexts.make(name: "test").id }
    }

    /// Evaluates a script as one call under `limits`, and copies its result out.
    @discardableResult
    func evaluate(_ source: String, limits: ExecutionLimits = ExecutionLimits()) async throws -> ScriptData {
        try await run { context in
            try context.call(Self.label, limits: limits) {
                try context.evaluate(source, file: "Test-impl.js").data()
            }
        }
    }

    func run<Result: Sendable>(_ body: @escaping @Sendable (ScriptContext) throws -> Result) async throws -> Result {
        try await machine.run { [scope] machine in
            let context = try machine.contexts[scope]
            return try body(try #require(context))
        }
    }

    /// The limit that ended a script.
    func limitEnding(_ source: String, limits: ExecutionLimits) async throws -> LimitExceededError {
        try await #require(throws: LimitExceededError.self) {
            try await evaluate(source, limits: limits)
        }
    }

    static let label = CallLabel(adapter: "Test", procedure: "run")
}
