/// The adapters whose procedures a script calls by `invokeProcedure`.
public enum ProcedureLinks: Sendable, Hashable {
    /// The script names all of them.
    case named(Set<String>)
    /// The script computes a name, or uses `invokeProcedure` in another way.
    case any

    /// - Parameter facts: those of the tree.
    public init(_ tree: SyntaxTree, _ facts: ScriptFacts) {
        let calls = facts.serverCalls.filter { $0.name == "invokeProcedure" }
        let names = calls.compactMap { $0.arguments.first?["adapter"]?.text }
        // In a comment, too: the rule stays simple.
        let mentions = tree.source.text.matches(of: /invokeProcedure|Server\s*\[/).count
        self = names.count == calls.count && mentions == calls.count ? .named(Set(names)) : .any
    }
}
