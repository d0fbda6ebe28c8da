import BackEndHTTP
import Databases
import Foundation
import JavaScriptEngine
public import WorklightProject

extension Project {
    /// Returns the problems of the adapters' stylesheets: each is compiled, and run once on an empty document. Blocks.
    ///
    /// A stylesheet that its adapter's script does not name is only a note: Worklight Studio put one into every HTTP adapter.
    public func stylesheetProblems() -> [ProjectError] {
        adapters.flatMap { adapter in
            let path = "adapters/\(adapter.descriptor.name)"
            return StylesheetCheck(folder: folder.appending(path: path)).findings().map { finding in
                let isUsed = adapter.script.contains(finding.file)
                let severity: ProjectError.Severity = !isUsed ? .note : finding.isCertain ? .error : .warning
                return ProjectError(
                    severity, file: "\(path)/\(finding.file)", line: finding.line,
                    (finding.isCertain ? "" : "on an empty document: ") + finding.message
                        + (isUsed ? "" : "; no script names this stylesheet"))
            }
        }
    }
}

extension Project {
    /// Returns the syntax that the engine refuses in scripts of adapters, authenticators and login modules, and as notes what is
    /// translated for it. Nothing is run.
    ///
    /// - Throws: `EngineStartError`.
    public func syntaxProblems() async throws -> [ProjectError] {
        let machine = try VirtualMachine.start(name: "check")
        // A class may serve several realms.
        var paths: Set<String> = []
        let scripts = adapters + realmScripts.filter { paths.insert($0.descriptor.path).inserted }
        var problems: [ProjectError] = []
        for prepared in try await machine.prepare(scripts) {
            switch prepared {
            case .success(let script):
                problems += script.remarks
                if let note = script.ownRealmNote { problems.append(note) }
                problems += script.waitNotes
                problems += script.translations
            case .failure(let refused): problems += refused.problems
            }
        }
        return problems
    }
}

extension Project {
    /// Returns the problems of the adapters' data sources. No connection is opened.
    ///
    /// An adapter with such a problem is loaded; its SQL calls fail.
    public func dataSourceProblems() -> [ProjectError] { adapters.compactMap { dataSourceProblem(of: $0.descriptor) } }

    func dataSourceProblem(of descriptor: AdapterDescriptor) -> ProjectError? {
        guard let policy = descriptor.connectivity.sql else { return nil }
        let definition: SQLDataSourceDefinition? =
            switch policy.source {
            case .definition(let definition): definition
            case .jndiName(let name): properties.dataSource(jndiName: name)
            }
        let source =
            if case .jndiName(let name) = policy.source {
                "the data source '\(name)' of \(WorklightProperties.path): "
            } else { "" }
        switch definition.flatMap(SQLDataSource.obstacle) {
        case nil: return nil
        case .url(let message): return ProjectError(.error, file: descriptor.path, line: policy.line, source + message)
        case .driver(let message):
            return ProjectError(
                .warning, file: descriptor.path, line: policy.line,
                "\(source)every SQL call fails on this machine: \(message)")
        }
    }
}
