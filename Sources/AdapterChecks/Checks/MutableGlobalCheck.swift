import AdapterSyntax
import WorklightProject

/// Variables in which one call leaves something for a later one, where calls do not belong to a session.
enum MutableGlobalCheck: ScriptCheck {
    static func problems(in script: ReadScript, of project: ReadProject) -> [ProjectProblem] {
        guard project.project.properties["mfp.session.independent"]?.lowercased() == "true" else { return [] }
        let graph = CallGraph(script.facts)
        let names =
            script.descriptor.procedures.map(\.name) + project.realmFunctions(of: script.descriptor.name).sorted()
        let procedures = names.map { name in
            let functions = graph.functions(named: name)
            return (name: name, functions: functions, reach: graph.reach(of: functions))
        }
        let variables = TopLevelVariable.all(of: script)
        // A value that is set when it is missing is another user's when it is not.
        let flows = VariableFlows(script, graph, of: Set(variables.map(\.name)), .everyUse)
        return variables.compactMap { variable in
            guard let writer = procedures.first(where: { !variable.writers.isDisjoint(with: $0.reach) }),
                let reader = procedures.first(where: { flows.needs(variable.name, in: $0.functions) })
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
