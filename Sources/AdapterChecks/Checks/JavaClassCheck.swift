import AdapterSyntax
import WorklightProject

/// Java, of which hardly anything is there.
enum JavaClassCheck: ScriptCheck {
    private static let available = Set(JavaLibrary.Member.allCases.map(\.rawValue))

    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let tree = script.tree
        let names = JavaNames(script)
        var problems: [ProjectError] = []
        tree.walk(
            from: tree.root,
            enter: { id in
                guard tree.kind(id) == .call || tree.kind(id) == .new, let name = names.javaPath(tree.child(id, 0)),
                    !available.contains(name)
                else { return true }
                problems.append(
                    script.problem(
                        .javaClass, at: tree.range(name == "JavaAdapter" ? tree.child(id, 0) : id),
                        "calling \(name) fails: Lamplighter has no Java; \(JavaLibrary.replacement(for: name))"))
                return true
            }, leave: { _ in })
        return problems
    }
}
