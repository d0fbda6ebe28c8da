import AdapterSyntax

/// A variable of a script's top level that functions set or change, with these functions.
struct TopLevelVariable {
    let name: String
    /// The declaration, or the first assignment of an undeclared variable.
    let range: SourceRange
    /// The indices of functions, not inside another one, that assign it.
    let assigners: Set<Int>
    /// The functions that change its value in place.
    let changers: Set<Int>
    /// The functions that use its value, also by `+=` or `++`.
    let readers: Set<Int>

    var writers: Set<Int> { assigners.union(changers) }

    /// Returns the variables that functions set or change.
    static func all(of script: ParsedScript) -> [TopLevelVariable] {
        let facts = script.facts
        var places = facts.undeclaredAssignments.compactMapValues(\.first)
        for variable in facts.variables { places[variable.name] = variable.range }
        let functions = facts.functions.indices.filter { facts.functions[$0].outer == nil }
        let (writes, reads) = uses(in: script)
        return places.compactMap { name, range in
            let users = { (ranges: [SourceRange]) in
                Set(functions.filter { index in ranges.contains { facts.functions[index].range.contains($0) } })
            }
            let assigners = users(writes[name] ?? [])
            let changers = functions.filter { facts.functions[$0].globalsChanged.contains(name) }
            guard !assigners.isEmpty || !changers.isEmpty else { return nil }
            return TopLevelVariable(
                name: name, range: range, assigners: assigners, changers: Set(changers),
                readers: users(reads[name] ?? []))
        }.sorted { $0.range.start < $1.range.start }
    }

    /// Returns the ranges at which names of the top level are assigned, and at which their values are used.
    private static func uses(
        in script: ParsedScript
    ) -> (writes: [String: [SourceRange]], reads: [String: [SourceRange]]) {
        let tree = script.tree
        var updated: Set<NodeID> = []
        for id in tree.all {
            switch tree.kind(id) {
            case .prefixUpdate, .postfixUpdate: updated.insert(tree.unwrapped(tree.child(id, 0)))
            case .assignment where tree.operation(id) != .assign:
                updated.insert(tree.unwrapped(tree.child(id, 0)))
            default: break
            }
        }
        var writes: [String: [SourceRange]] = [:]
        var reads: [String: [SourceRange]] = [:]
        for use in script.names.uses where use.meaning != .local {
            let range = tree.range(use.node)
            if use.isWrite { writes[use.name, default: []].append(range) }
            if !use.isWrite || updated.contains(use.node) { reads[use.name, default: []].append(range) }
        }
        return (writes, reads)
    }
}
