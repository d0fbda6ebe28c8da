import AdapterSyntax
import WorklightProject

/// Java, of which hardly anything is there.
enum JavaClassCheck: ScriptCheck {
    private static let available: Set = [
        "java.lang.System.out.println", "com.worklight.common.js.util.JSObjectConverter.toFormattedString",
        "com.worklight.server.integration.api.JSObjectConverter.toFormattedString",
    ]

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
                problems.append(
                    script.problem(
                        .javaClass, at: tree.range(id),
                        "\(name) is Java's, and there is no Java here: calling it fails; use what JavaScript and WL.Server have"
                    ))
                return true
            }, leave: { _ in })
        return problems
    }
}
