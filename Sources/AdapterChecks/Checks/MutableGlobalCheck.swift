import AdapterSyntax
import WorklightProject

/// Scripts in which one call leaves something for a later one, where calls do not belong to a session.
enum MutableGlobalCheck: ScriptCheck {
    static func problems(in script: ReadScript, of project: ReadProject) -> [ProjectProblem] {
        guard project.project.properties.isSessionIndependent else { return [] }
        let entryPoints = project.project.entryPoints(of: script.descriptor)
        guard let state = script.tree.stateVerdict(entryPoints: entryPoints).state else { return [] }
        return [
            ProjectProblem(
                .warning, file: script.descriptor.scriptPath, line: state.position.line, column: state.position.column,
                "\(state.description), but with mfp.session.independent=true in \(WorklightProperties.path) that call may have been "
                    + "another user's; keep it in the identity's attributes (setActiveUser), or under getClientId() in a database",
                id: CheckID.mutableGlobal.rawValue)
        ]
    }
}
