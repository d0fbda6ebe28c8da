import AdapterSyntax
import WorklightProject

/// Variables by which a poll and the rest of a script mean to talk to each other. They cannot: a poll has variables of its own,
/// and so has each session.
enum SharedGlobalCheck: ScriptCheck {
    static func problems(in script: ReadScript, of project: ReadProject) -> [ProjectProblem] {
        let polls = polls(of: script)
        guard !polls.isEmpty else { return [] }
        let graph = CallGraph(script.facts)
        let variables = TopLevelVariable.all(of: script.facts)
        let entrances = graph.reach(of: roots(of: script, project, graph))
        let reaches = polls.map { graph.reach(of: graph.functions(of: $0.value)) }
        return variables.compactMap { variable in
            for (index, poll) in polls.enumerated() {
                let others = reaches.enumerated().filter { $0.offset != index }.reduce(entrances) {
                    $0.union($1.element)
                }
                if let message = message(variable, poll: reaches[index], named: poll.name, others: others, script) {
                    return script.problem(.sharedGlobal, at: variable.range, message)
                }
            }
            return nil
        }
    }

    private static func polls(of script: ReadScript) -> [(name: String, value: LiteralValue)] {
        script.facts.eventSources.flatMap { source in
            source.callbacks.filter { $0.role == "onPoll" }.map { (source.name ?? "?", $0.value) }
        }
    }

    /// Where anything but a poll begins: procedures, the other callbacks of event sources, what realms call.
    private static func roots(of script: ReadScript, _ project: ReadProject, _ graph: CallGraph) -> [Int] {
        let names = script.descriptor.procedures.map(\.name) + project.realmFunctions(of: script.descriptor.name)
        let callbacks = script.facts.eventSources.flatMap(\.callbacks).filter { $0.role != "onPoll" }
        return names.flatMap(graph.functions(named:)) + callbacks.flatMap { graph.functions(of: $0.value) }
    }

    private static func message(
        _ variable: TopLevelVariable, poll: Set<Int>, named source: String, others: Set<Int>, _ script: ReadScript
    ) -> String? {
        // Who sets it before he reads it needs nobody else's value.
        guard variable.assigners.isDisjoint(with: poll) || variable.assigners.isDisjoint(with: others) else {
            return nil
        }
        let advice =
            "the poll has variables of its own, and so has each session. Keep it where both find it: in a database or back end, or "
            + "in the state of the user subscription (userSubscription.state and save)"
        let pollWriters = variable.writers.intersection(poll).subtracting(others)
        let otherReaders = variable.readers.intersection(others).subtracting(poll)
        if let writer = name(of: pollWriters, script), let reader = name(of: otherReaders, script) {
            return
                "\(reader) never sees what \(writer), which runs in the poll of '\(source)', puts into '\(variable.name)': \(advice)"
        }
        let otherWriters = variable.writers.intersection(others).subtracting(poll)
        let pollReaders = variable.readers.intersection(poll).subtracting(others)
        if let writer = name(of: otherWriters, script), let reader = name(of: pollReaders, script) {
            return
                "\(reader), which runs in the poll of '\(source)', never sees what \(writer) puts into '\(variable.name)': \(advice)"
        }
        return nil
    }

    private static func name(of functions: Set<Int>, _ script: ReadScript) -> String? {
        functions.min().map { index in script.facts.functions[index].name.map { "\($0)()" } ?? "the poll's function" }
    }
}
