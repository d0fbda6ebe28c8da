import AdapterSyntax
import WorklightProject

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
