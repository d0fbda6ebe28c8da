import AdapterSyntax
import WorklightProject

/// What only Rhino knew. It is translated when the script is loaded; other tools cannot read the script.
enum RhinoOnlyCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let fixes = Fix.all(in: script.tree)
        var last: RhinoFinding?
        // JavaAdapter is not translated but fails, which JavaClassCheck tells.
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
