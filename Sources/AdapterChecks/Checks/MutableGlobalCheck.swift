import AdapterSyntax
import WorklightProject

/// Variables in which one call leaves something for a later one, where calls do not belong to a session.
enum MutableGlobalCheck: ScriptCheck {
    static func problems(in script: ReadScript, of project: ReadProject) -> [ProjectProblem] {
        guard project.project.properties["mfp.session.independent"]?.lowercased() == "true" else { return [] }
        let graph = CallGraph(script.facts)
        let names =
            script.descriptor.procedures.map(\.name) + project.realmFunctions(of: script.descriptor.name).sorted()
        let procedures = names.map { (name: $0, reach: graph.reach(of: graph.functions(named: $0))) }
        return TopLevelVariable.all(of: script.facts).compactMap { variable in
            guard let writer = procedures.first(where: { !variable.writers.isDisjoint(with: $0.reach) }),
                // Who sets it itself needs nobody else's value.
                let reader = procedures.first(where: { procedure in
                    !variable.readers.isDisjoint(with: procedure.reach)
                        && variable.assigners.isDisjoint(with: procedure.reach)
                })
            else { return nil }
            return script.problem(
                .mutableGlobal, at: variable.range,
                "\(writer.name)() puts something into '\(variable.name)' that a later call of \(reader.name)() reads, but with "
                    + "mfp.session.independent=true in \(WorklightProperties.path) the later call may be another user's, or find "
                    + "nothing; keep it in the identity's attributes (setActiveUser), or under getClientId() in a database"
            )
        }
    }
}
