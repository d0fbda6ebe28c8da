import AdapterSyntax
import WorklightProject

/// `eval`, `new Function` and their like, which are turned off: the call throws an `EvalError`.
enum EvalCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let tree = script.tree
        var problems: [ProjectError] = []
        tree.walk(
            from: tree.root,
            enter: { id in
                guard tree.kind(id) == .call || tree.kind(id) == .new, let path = tree.path(tree.child(id, 0)),
                    path == "eval" || path == "Function", script.isRuntimeName(tree.child(id, 0))
                else { return true }
                // eval returns what is no string as it is.
                if path == "eval", tree.childCount(id) < 2 { return true }
                let name = path == "eval" ? "eval" : "new Function"
                problems.append(
                    script.problem(
                        .eval, at: tree.range(id),
                        "\(name)() is turned off, so this is an EvalError when it is reached; write the code itself, or read data with JSON.parse"
                    ))
                return true
            }, leave: { _ in })
        return problems
    }
}
