import AdapterSyntax

/// Finds the functions that may run while a script is loaded: those that top-level code uses, anonymous ones in top-level code, and the
/// functions that these call. Functions passed to `WL.Server` run later.
enum LoadingFunctions {
    /// Returns the indices of the functions that are not inside another function.
    static func indices(in script: ParsedScript, _ graph: CallGraph) -> Set<Int> {
        let (tree, functions) = (script.tree, script.facts.functions)
        let later = script.facts.serverCalls.filter { $0.function == nil }.map(\.range)
        let isNow = { (range: SourceRange) in !later.contains { $0.contains(range) } }
        // An object whose member is set does not run.
        let targets = tree.all.filter { tree.kind($0) == .assignment }.compactMap {
            tree.root(ofPath: tree.child($0, 0))
        }
        let uses = script.names.uses.filter { use in
            use.isOutsideFunctions && !use.isWrite && isNow(tree.range(use.node))
        }
        let named = Set(uses.map(\.node)).subtracting(targets).flatMap { graph.functions(named: tree.name($0)) }
        let unnamed = functions.indices.filter {
            functions[$0].outer == nil && functions[$0].name == nil && isNow(functions[$0].range)
        }
        return graph.reach(of: named + unnamed)
    }
}
