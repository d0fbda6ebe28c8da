import JavaScriptEngine
public import WorklightProject

extension Project {
    /// The syntax errors of the adapters' scripts. Nothing is run.
    ///
    /// - Throws: `EngineStartError`.
    public func syntaxProblems() async throws -> [ProjectProblem] {
        let machine = try VirtualMachine.start(name: "check")
        return try await machine.run { machine in
            let context = try machine.makeContext(name: "check")
            return adapters.compactMap { adapter in
                do throws(ScriptSyntaxError) {
                    try context.check(adapter.script, file: adapter.descriptor.scriptPath)
                    return nil
                } catch {
                    return ProjectProblem(error)
                }
            }
        }
    }
}

extension ProjectProblem {
    init(_ error: ScriptSyntaxError) {
        self.init(
            .error, file: error.location.file, line: error.location.line, column: error.location.column, error.message)
    }
}
