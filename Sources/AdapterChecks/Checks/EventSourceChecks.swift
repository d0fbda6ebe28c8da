import AdapterSyntax
import Foundation
import WorklightProject

/// Event sources that are declared twice or too late, and polls whose interval is probably a mistake.
enum EventSourceCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        late(script, project) + duplicates(script) + intervals(script)
    }

    /// Those inside of a function that certainly does not run while the script is loaded.
    private static func late(_ script: ParsedScript, _ project: ParsedProject) -> [ProjectError] {
        let calls = script.calls(of: "createEventSource").filter { $0.function != nil }
        guard !calls.isEmpty else { return [] }
        let graph = CallGraph(script.facts)
        let loading = LoadingFunctions.indices(in: script, graph)
        let entrances = entrances(of: script, project, graph).map { ($0.name, reach: graph.reach(of: $0.functions)) }
        return calls.compactMap { call in
            guard var index = call.function else { return nil }
            while let outer = script.facts.functions[index].outer { index = outer }
            guard !loading.contains(index), let (entrance, _) = entrances.first(where: { $0.reach.contains(index) })
            else { return nil }
            let name = script.facts.functions[index].name.map { "\($0)()" } ?? "a function"
            let way = name == entrance ? ", which runs" : ", which \(entrance) calls"
            return script.problem(
                .eventSourceInFunction, at: call.range,
                "createEventSource is called in \(name)\(way) when the script has long been loaded: then it fails, and nobody "
                    + "can subscribe; call it outside of all functions")
        }
    }

    /// Returns the functions that are called once the script is loaded: procedures, realms' functions, callbacks of event sources.
    private static func entrances(
        of script: ParsedScript, _ project: ParsedProject, _ graph: CallGraph
    ) -> [(name: String, functions: [Int])] {
        let names =
            script.descriptor.procedures.map(\.name) + project.realmFunctions(of: script.descriptor.name).sorted()
        return names.map { ("\($0)()", graph.functions(named: $0)) }
            + script.facts.eventSources.flatMap(\.callbacks).map { callback in
                (callback.function.map { "\($0)()" } ?? callback.role, graph.functions(of: callback.value))
            }
    }

    private static func duplicates(_ script: ParsedScript) -> [ProjectError] {
        let certain = statements(of: script)
        var first: [String: EventSourceFact] = [:]
        return script.facts.eventSources.compactMap { source in
            guard let name = source.name, certain.contains(source.call.range) else { return nil }
            guard let earlier = first[name] else {
                first[name] = source
                return nil
            }
            return script.problem(
                .duplicateEventSource, at: source.call.range,
                "the event source '\(name)' is declared on line \(earlier.call.position.line) already, so the adapter cannot be loaded; "
                    + "rename one of them", severity: .error)
        }
    }

    /// Returns the ranges of the expressions that run exactly once in any case: the statements of the top level.
    static func statements(of script: ParsedScript) -> Set<SourceRange> {
        let tree = script.tree
        let values = tree.children(tree.root).flatMap { statement in
            switch tree.kind(statement) {
            case .expressionStatement: [tree.child(statement, 0)]
            case .variableDeclaration: tree.children(statement).map { tree.child($0, 1) }
            default: [NodeID]()
            }
        }
        return Set(
            values.filter { !$0.isAbsent }.map { value in
                let value = tree.unwrapped(value)
                return tree.range(tree.kind(value) == .assignment ? tree.child(value, 1) : value)
            })
    }

    /// In seconds.
    private static let (hour, day) = (3600.0, 86_400.0)
    /// Intervals from here on are probably milliseconds: 5 seconds are usual, 5000 seconds are not.
    private static let shortestSuspect = 5000.0

    private static func intervals(_ script: ParsedScript) -> [ProjectError] {
        script.facts.eventSources.compactMap { source in
            guard let interval = source.pollInterval, interval >= shortestSuspect,
                interval.remainder(dividingBy: 1000) == 0, !isWhole(interval)
            else { return nil }
            let time =
                interval < day
                ? String(format: "%.1f hours", interval / hour) : String(format: "%.1f days", interval / day)
            return script.problem(
                .pollInterval, at: source.call.range,
                "poll.interval is in seconds, and \(whole(interval)) of them are \(time); if milliseconds were meant, write "
                    + whole(interval / 1000))
        }
    }

    /// Returns a whole number in decimal notation, of any size.
    private static func whole(_ number: Double) -> String { String(format: "%.0f", number) }

    /// Returns whether a number of seconds is plausible: whole hours up to a day, whole days up to a year.
    private static func isWhole(_ interval: Double) -> Bool {
        interval <= day
            ? interval.remainder(dividingBy: hour) == 0
            : interval.remainder(dividingBy: day) == 0 && interval <= 366 * day
    }
}

/// Event sources that are asked for and that nothing declares, mostly since an adapter was copied and renamed.
enum UnknownEventSourceCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let calls = script.calls(
            of: "getUserNotificationSubscription", "subscribeSMS", "getSMSSubscription", "unsubscribeSMS")
        return calls.compactMap { call in
            guard let text = call.arguments.first?.text else { return nil }
            return reason(text, script, project).map {
                script.problem(.unknownEventSource, at: call.range, "\(call.name): \($0)")
            }
        }
    }

    private static func reason(_ text: String, _ script: ParsedScript, _ project: ParsedProject) -> String? {
        let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
        guard let name = parts.last, !name.isEmpty else { return nil }
        let adapter = parts.count == 2 ? parts[0] : script.descriptor.name
        guard let other = project.scripts[adapter] else {
            guard !project.folders.contains(adapter), project.adapter(named: adapter) == nil else { return nil }
            return "'\(text)' is of the adapter '\(adapter)', which does not exist"
                + Suggestion.text(for: adapter, among: project.project.adapters.map(\.descriptor.name))
        }
        let declared = other.calls(of: "createEventSource")
        let names = other.facts.eventSources.compactMap(\.name)
        // One whose name is computed may be the one that is meant.
        guard names.count == declared.count, !names.contains(name) else { return nil }
        return "\(other.descriptor.scriptPath) declares no event source '\(name)', so there is never a subscription"
            + Suggestion.text(for: name, among: names)
    }
}
