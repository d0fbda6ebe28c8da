import AdapterSyntax
import WorklightProject

/// Functions of `WL.Server`, `WL.Logger` and `WL.Geo` that there are not, and what of `WL` only clients have.
enum UnknownMemberCheck: ScriptCheck {
    private static let known = [
        "Server": RuntimeNames.server, "Logger": RuntimeNames.logger, "Geo": RuntimeNames.geo,
    ]

    static func problems(in script: ReadScript, of project: ReadProject) -> [ProjectProblem] {
        let tree = script.tree
        var problems: [ProjectProblem] = []
        tree.walk(
            from: tree.root,
            enter: { id in
                guard tree.kind(id) == .call, let path = tree.path(tree.child(id, 0)) else { return true }
                let parts = path.split(separator: ".").map(String.init)
                guard parts.count >= 2, ["WL", "MFP"].contains(parts[0]), script.facts.freeNames[parts[0]] != nil else {
                    return true
                }
                if let reason = reason(parts) {
                    problems.append(script.problem(.unknownMember, at: tree.range(id), reason))
                }
                return true
            }, leave: { _ in })
        return problems
    }

    private static func reason(_ parts: [String]) -> String? {
        guard let members = known[parts[1]] else {
            return "there is no \(parts[0]).\(parts[1]) in an adapter, so the call fails"
                + (parts[1] == "Client" ? "; it is of clients" : Suggestion.text(for: parts[1], among: known.keys))
        }
        guard parts.count == 3, !members.contains(parts[2]) else { return nil }
        let path = parts[..<2].joined(separator: ".")
        let hint = Suggestion.nearest(to: parts[2], among: members).map { "; is '\($0)' meant?" } ?? ""
        return "\(path) has no '\(parts[2])', so the call fails\(hint)"
    }
}
