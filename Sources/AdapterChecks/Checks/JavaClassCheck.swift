import AdapterSyntax
import WorklightProject

/// Java, of which hardly anything is there.
enum JavaClassCheck: ScriptCheck {
    private static let roots: Set = ["java", "javax", "com", "org", "Packages"]
    private static let available: Set = [
        "java.lang.System.out.println", "com.worklight.common.js.util.JSObjectConverter.toFormattedString",
    ]

    static func problems(in script: ReadScript, of project: ReadProject) -> [ProjectProblem] {
        let tree = script.tree
        var problems: [ProjectProblem] = []
        tree.walk(
            from: tree.root,
            enter: { id in
                guard tree.kind(id) == .call || tree.kind(id) == .new, let path = tree.path(tree.child(id, 0)),
                    let root = path.split(separator: ".").first.map(String.init), roots.contains(root), root != path,
                    script.isRuntimes(tree.child(id, 0))
                else { return true }
                let name = root == "Packages" ? String(path.dropFirst("Packages.".count)) : path
                if !available.contains(name) {
                    problems.append(
                        script.problem(
                            .javaClass, at: tree.range(id),
                            "\(name) is Java's, and there is no Java here: calling it fails; use what JavaScript and WL.Server have"
                        ))
                }
                return true
            }, leave: { _ in })
        return problems
    }
}
