import AdapterSyntax
import WorklightProject

/// Scripts in which one call leaves something for a later one, where calls do not belong to a session.
enum MutableGlobalCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        guard project.project.properties.isSessionIndependent else { return [] }
        let temporaries = script.tree.temporaries(entryPoints: project.project.entryPoints(of: script.descriptor))
        let kept = script.facts.variables.filter { !temporaries.contains($0.name) }
        let assignments = kept.flatMap { variable in variable.assignments.map { (variable.name, $0) } }
        guard let (name, first) = assignments.min(by: { $0.1.range.start < $1.1.range.start }) else { return [] }
        return [
            ProjectError(
                .warning, file: script.descriptor.scriptPath, line: first.position.line, column: first.position.column,
                "\(first.function.map { "\($0)()" } ?? "a function") assigns '\(name)', which a later call may read, but with mfp.session.independent=true in \(WorklightProperties.path) that call may have been "
                    + "another user's; keep it in the identity's attributes (setActiveUser), or under getClientId() in a database",
                id: CheckID.mutableGlobal.rawValue)
        ]
    }
}
