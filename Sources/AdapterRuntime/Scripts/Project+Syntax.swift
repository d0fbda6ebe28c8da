import JavaScriptEngine
public import WorklightProject

extension Project {
    /// What the scripts of adapters, authenticators and login modules say that the engine will not take, and as notes what is translated for it. Nothing is
    /// run.
    ///
    /// - Throws: `EngineStartError`.
    public func syntaxProblems() async throws -> [ProjectError] {
        let machine = try VirtualMachine.start(name: "check")
        // A class may serve several realms.
        var paths: Set<String> = []
        let scripts = adapters + realmScripts.filter { paths.insert($0.descriptor.path).inserted }
        return try await machine.prepare(scripts, of: self).flatMap { prepared in
            switch prepared {
            case .success(let script): script.remarks + script.translations
            case .failure(let refused): refused.problems
            }
        }
    }
}
