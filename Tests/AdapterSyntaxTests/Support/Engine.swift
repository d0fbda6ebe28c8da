import JavaScriptEngine
import Testing

/// A machine that runs scripts, each in a separate scope, as adapters have it. All tests share it: a machine is a thread.
struct Engine {
    private static let shared = Result { try VirtualMachine.start(name: "syntax-test") }

    let machine: VirtualMachine

    init() throws {
        machine = try Self.shared.get()
    }

    /// Returns the error that the engine finds in the script, if any. `async` is refused by Lamplighter, not by the engine.
    func problem(in source: String, file: String = "A.js") async throws -> ScriptSyntaxError? {
        try await machine.run { machine in
            let contexts = try machine.contexts
            let context = try contexts.make(name: "check")
            defer { contexts.close(context.id) }
            do throws(ScriptSyntaxError) {
                try context.check(source, file: file)
                return nil
            } catch {
                return error.message.hasPrefix("async functions") ? nil : error
            }
        }
    }

    /// Runs a script in a new scope, behind what it needs.
    ///
    /// - Returns: its value as JSON, or the error it threw.
    func run(_ source: String, prelude: String? = nil, file: String = "A.js") async throws -> Outcome {
        try await machine.run { machine in
            let contexts = try machine.contexts
            let context = try contexts.make(name: "run")
            defer { contexts.close(context.id) }
            if let prelude { try context.evaluate(prelude, file: "prelude.js") }
            let label = CallLabel(adapter: "A", procedure: "run")
            return try context.call(label, limits: ExecutionLimits()) {
                do {
                    let value = try context.evaluate(source, file: file)
                    let json = try context.global.get("JSON").get("stringify").call([value])
                    return .value(try json.text())
                } catch let error as ScriptError {
                    return .thrown(error.summary, line: error.location?.line)
                }
            }
        }
    }

    /// Which of many scripts the engine reads.
    func reads(_ sources: [String]) async throws -> [Bool] {
        try await machine.run { machine in
            let contexts = try machine.contexts
            let context = try contexts.make(name: "check")
            defer { contexts.close(context.id) }
            return sources.map { source in
                do throws(ScriptSyntaxError) {
                    try context.check(source, file: "A.js")
                    return true
                } catch {
                    return false
                }
            }
        }
    }

    enum Outcome: Equatable, CustomTestStringConvertible {
        case value(String)
        case thrown(String, line: Int?)

        var testDescription: String {
            switch self {
            case .value(let json): json
            case .thrown(let summary, let line): "\(summary) in line \(line ?? 0)"
            }
        }
    }
}
