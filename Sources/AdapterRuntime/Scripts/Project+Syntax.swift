import JavaScriptEngine
public import WorklightProject

extension Project {
    /// What the adapters' scripts say that the engine will not take, and as notes what is translated for it. Nothing is
    /// run.
    ///
    /// - Throws: `EngineStartError`.
    public func syntaxProblems() async throws -> [ProjectProblem] {
        let machine = try VirtualMachine.start(name: "check")
        return try await machine.prepare(adapters, of: self).flatMap { prepared in
            switch prepared {
            case .success(let script): script.remarks + script.translations
            case .failure(let refused): refused.problems
            }
        }
    }
}
