import AdapterSyntax

/// A variable of a script's top level that functions set or change, and which do what with it.
struct TopLevelVariable {
    let name: String
    /// Where it is declared, or first set when it is not.
    let range: SourceRange
    /// Indices of functions that stand in no other.
    let assigners: Set<Int>
    /// Those that change its value in place.
    let changers: Set<Int>
    let readers: Set<Int>

    var writers: Set<Int> { assigners.union(changers) }

    /// The variables that functions set or change.
    static func all(of facts: ScriptFacts) -> [TopLevelVariable] {
        var places = facts.undeclaredAssignments.compactMapValues(\.first)
        for variable in facts.variables { places[variable.name] = variable.range }
        let functions = facts.functions.indices.filter { facts.functions[$0].outer == nil }
        return places.compactMap { name, range in
            let assigners = functions.filter { index in
                let function = facts.functions[index]
                return function.globalsWritten.contains(name)
                    || (facts.undeclaredAssignments[name] ?? []).contains { function.range.contains($0) }
            }
            let changers = functions.filter { facts.functions[$0].globalsChanged.contains(name) }
            guard !assigners.isEmpty || !changers.isEmpty else { return nil }
            let readers = functions.filter { index in
                let function = facts.functions[index]
                return function.globalsRead.contains(name) || readsUndeclared(name, function, facts)
            }
            return TopLevelVariable(
                name: name, range: range, assigners: Set(assigners), changers: Set(changers), readers: Set(readers))
        }.sorted { $0.range.start < $1.range.start }
    }

    /// Whether a function uses a name that nothing declares in another way than to assign it.
    private static func readsUndeclared(
        _ name: String, _ function: ScriptFacts.Function, _ facts: ScriptFacts
    ) -> Bool {
        guard let assignments = facts.undeclaredAssignments[name], let uses = facts.freeNames[name] else {
            return false
        }
        return Set(uses).subtracting(assignments).contains { function.range.contains($0) }
    }
}
