import AdapterSyntax
import WorklightProject

/// Java, of which hardly anything is there.
enum JavaClassCheck: ScriptCheck {
    private static let available = Set(JavaLibrary.Member.allCases.map(\.rawValue))

    static func problems(in script: ReadScript, of project: ReadProject) -> [ProjectProblem] {
        let tree = script.tree
        let names = JavaNames(script)
        var problems: [ProjectProblem] = []
        tree.walk(
            from: tree.root,
            enter: { id in
                guard tree.kind(id) == .call || tree.kind(id) == .new, let name = names.javaPath(tree.child(id, 0)),
                    !available.contains(name)
                else { return true }
                let isAdapter = name == "JavaAdapter"
                let mend =
                    isAdapter
                    ? "write a JavaScript object with these functions" : "use what JavaScript and WL.Server have"
                problems.append(
                    script.problem(
                        .javaClass, at: tree.range(isAdapter ? tree.child(id, 0) : id),
                        "\(name) is Java's, and there is no Java here: calling it fails; \(mend)"))
                return true
            }, leave: { _ in })
        return problems
    }
}
