import AdapterSyntax
import Foundation
import WorklightProject

/// Event sources that are declared twice or too late, and polls that are hardly meant so.
enum EventSourceCheck: ScriptCheck {
    static func problems(in script: ReadScript, of project: ReadProject) -> [ProjectProblem] {
        late(script, project) + duplicates(script) + intervals(script)
    }

    /// Those inside of a function that certainly does not run while the script is loaded.
    private static func late(_ script: ReadScript, _ project: ReadProject) -> [ProjectProblem] {
        let entrances = Set(script.descriptor.procedures.map(\.name))
            .union(project.realmFunctions(of: script.descriptor.name))
        return script.calls(of: "createEventSource").compactMap { call in
            guard var index = call.function else { return nil }
            while let outer = script.facts.functions[index].outer { index = outer }
            guard let name = script.facts.functions[index].name, entrances.contains(name),
                !script.facts.namesUsedAtLoading.contains(name), !isCalled(name, in: script)
            else { return nil }
            return script.problem(
                .eventSourceInFunction, at: call.range,
                "createEventSource is called in \(name)(), which runs when the script has long been loaded: then it fails, and nobody "
                    + "can subscribe; call it outside of all functions")
        }
    }

    /// Whether another function calls it, which may be one that runs while the script is loaded.
    private static func isCalled(_ name: String, in script: ReadScript) -> Bool {
        script.facts.functions.contains { $0.name != name && $0.globalsRead.contains(name) }
    }

    private static func duplicates(_ script: ReadScript) -> [ProjectProblem] {
        var first: [String: EventSourceFact] = [:]
        return script.facts.eventSources.compactMap { source in
            guard let name = source.name, source.call.function == nil else { return nil }
            guard let earlier = first[name] else {
                first[name] = source
                return nil
            }
            return script.problem(
                .duplicateEventSource, at: source.call.range,
                "the event source '\(name)' is declared on line \(earlier.call.position.line) already, so the adapter cannot be loaded; "
                    + "give one of them another name")
        }
    }

    /// In seconds.
    private static let (hour, day) = (3600.0, 86_400.0)
    /// Nobody polls every 5000 seconds, but every five many do.
    private static let shortestSuspect = 5000.0

    private static func intervals(_ script: ReadScript) -> [ProjectProblem] {
        script.facts.eventSources.compactMap { source in
            guard let interval = source.pollInterval, interval >= shortestSuspect,
                interval.remainder(dividingBy: 1000) == 0, !isWhole(interval)
            else { return nil }
            let time =
                interval < day
                ? String(format: "%.1f hours", interval / hour) : String(format: "%.1f days", interval / day)
            return script.problem(
                .pollInterval, at: source.call.range,
                "poll.interval is in seconds, and \(Int(interval)) of them are \(time); if milliseconds were meant, write "
                    + "\(Int(interval / 1000))")
        }
    }

    /// Whether somebody may mean so many seconds: whole hours up to a day, whole days up to a year.
    private static func isWhole(_ interval: Double) -> Bool {
        interval <= day
            ? interval.remainder(dividingBy: hour) == 0
            : interval.remainder(dividingBy: day) == 0 && interval <= 366 * day
    }
}
