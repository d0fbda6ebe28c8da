import AdapterSyntax
import WorklightProject

/// Variables by which a poll and the rest of a script try to share data. They cannot, since a poll and each session have separate
/// variables.
enum SharedGlobalCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let polls = polls(of: script)
        guard !polls.isEmpty else { return [] }
        let graph = CallGraph(script.facts)
        let variables = TopLevelVariable.all(of: script)
        // A function without parameters that runs at loading does the same in every scope.
        let everywhere = LoadingFunctions.indices(in: script, graph)
            .filter { script.facts.functions[$0].parameters.isEmpty }
        let polled = polls.map { graph.reach(of: graph.functions(of: $0.value)) }
        let rest = graph.reach(of: roots(of: script, project, graph))
        return variables.compactMap { variable in
            for (index, poll) in polls.enumerated() {
                let others = polled.indices.filter { $0 != index }.reduce(rest) { $0.union(polled[$1]) }
                let pair = Pair(variable: variable, poll: polled[index], others: others, everywhere: everywhere)
                if let message = message(pair, named: poll.name, script) {
                    return script.problem(.sharedGlobal, at: variable.range, message)
                }
            }
            return nil
        }
    }

    /// A variable between what a poll reaches and what all others reach, each the indices of functions.
    private struct Pair {
        let variable: TopLevelVariable
        let poll: Set<Int>
        let others: Set<Int>
        let everywhere: Set<Int>

        /// Returns a function of one side that sets the variable, and one of the other side that uses it; `nil` if there is no such pair.
        func talk(from writing: Set<Int>, to reading: Set<Int>) -> (writer: Int, reader: Int)? {
            // A variable that each side sets is a separate one for each side.
            guard variable.assigners.isDisjoint(with: poll) || variable.assigners.isDisjoint(with: others) else {
                return nil
            }
            guard
                let writer = variable.writers.intersection(writing).subtracting(reading).subtracting(everywhere).min(),
                let reader = variable.readers.intersection(reading).subtracting(writing).min()
            else { return nil }
            return (writer, reader)
        }
    }

    private static func polls(of script: ParsedScript) -> [(name: String, value: LiteralValue)] {
        script.facts.eventSources.flatMap { source in
            source.callbacks.filter { $0.role == "onPoll" }.map { (source.name ?? "?", $0.value) }
        }
    }

    /// Returns the functions at which anything but a poll begins: procedures, the other callbacks of event sources, realms' functions.
    private static func roots(of script: ParsedScript, _ project: ParsedProject, _ graph: CallGraph) -> [Int] {
        let names = script.descriptor.procedures.map(\.name) + project.realmFunctions(of: script.descriptor.name)
        let callbacks = script.facts.eventSources.flatMap(\.callbacks).filter { $0.role != "onPoll" }
        return names.flatMap(graph.functions(named:)) + callbacks.flatMap { graph.functions(of: $0.value) }
    }

    private static func message(_ pair: Pair, named source: String, _ script: ParsedScript) -> String? {
        let advice =
            "the poll and each session have separate variables. Keep the value where both can read it: in a database or back end, or "
            + "in the state of the user subscription (userSubscription.state and save)"
        let name = pair.variable.name
        if let (writer, reader) = pair.talk(from: pair.poll, to: pair.others) {
            return
                "\(called(reader, script)) never sees what \(called(writer, script)), which runs in the poll of '\(source)', puts into '\(name)': \(advice)"
        }
        if let (writer, reader) = pair.talk(from: pair.others, to: pair.poll) {
            return
                "\(called(reader, script)), which runs in the poll of '\(source)', never sees what \(called(writer, script)) puts into '\(name)': \(advice)"
        }
        return nil
    }

    private static func called(_ function: Int, _ script: ParsedScript) -> String {
        script.facts.functions[function].name.map { "\($0)()" } ?? "the poll's function"
    }
}

/// Finds scripts whose functions assign variables of the top level, where each call has its own variables.
enum MutableGlobalCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        guard project.project.properties.isSessionIndependent else { return [] }
        let assignments = script.facts.variables.flatMap { variable in variable.assignments.map { (variable.name, $0) }
        }
        guard let (name, first) = assignments.min(by: { $0.1.range.start < $1.1.range.start }) else { return [] }
        return [
            ProjectError(
                .warning, file: script.descriptor.scriptPath, line: first.position.line, column: first.position.column,
                "\(first.function.map { "\($0)()" } ?? "a function") assigns '\(name)'; with mfp.session.independent=true in "
                    + "\(WorklightProperties.path) the value is lost at the end of the call. If a later call needs it, keep it in the "
                    + "identity's attributes (setActiveUser), or under getClientId() in a database; if none does, declare the variable in the function",
                id: CheckID.mutableGlobal.rawValue)
        ]
    }
}

/// Variables that come into being because `var` was forgotten.
enum ImplicitGlobalCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        guard !script.hasHiddenNames else { return [] }
        let known = RuntimeNames.all
        return script.facts.undeclaredAssignments.compactMap { name, ranges in
            // At the top level the word `var` would change nothing.
            let inFunctions = ranges.filter { range in script.facts.functions.contains { $0.range.contains(range) } }
            guard let first = inFunctions.first, inFunctions.count == ranges.count, !known.contains(name) else {
                return nil
            }
            let function = script.facts.functions.last { $0.range.contains(first) }?.name
            return script.problem(
                .implicitGlobal, at: first,
                "'\(name)' is assigned\(function.map { " in \($0)()" } ?? "") and declared nowhere, so it becomes a global variable, which "
                    + "all functions of the script share; write var before it")
        }
    }
}
