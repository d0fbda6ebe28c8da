import AdapterSyntax
import WorklightProject

/// `eval`, `new Function` and their like, which are turned off: the call throws an `EvalError`.
enum EvalCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let tree = script.tree
        var problems: [ProjectError] = []
        for id in tree.all {
            guard tree.kind(id) == .call || tree.kind(id) == .new, let path = tree.path(tree.child(id, 0)),
                path == "eval" || path == "Function", script.isRuntimeName(tree.child(id, 0))
            else { continue }
            // eval returns an argument that is not a string unchanged.
            if path == "eval", tree.childCount(id) < 2 { continue }
            let name = path == "eval" ? "eval" : "new Function"
            problems.append(
                script.problem(
                    .eval, at: tree.range(id),
                    "\(name)() is turned off, so this is an EvalError when it is reached; write the code itself, or read data with JSON.parse"
                ))
        }
        return problems
    }
}

/// Finds syntax that only Rhino knew. It is translated when the script is loaded; other tools cannot read the script.
enum RhinoOnlyCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let fixes = Fix.all(in: script.tree)
        var last: RhinoFinding?
        // JavaAdapter is not translated but fails, which JavaClassCheck reports.
        return Translation.findings(in: script.tree).filter { $0.construct != .javaAdapter }.compactMap { finding in
            // E4X makes several of one line.
            defer { last = finding }
            if let last, last.construct == finding.construct, last.position.line == finding.position.line { return nil }
            let fix = fixes.first {
                $0.construct == finding.construct
                    && ($0.range.contains(finding.range) || finding.range.contains($0.range))
            }
            return script.problem(
                .rhinoOnly, at: finding.range,
                finding.construct == .javaImport
                    ? finding.message
                    : "\(finding.message); Lamplighter translates it, but editors and other engines cannot read it",
                fix: fix?.title)
        }
    }
}
