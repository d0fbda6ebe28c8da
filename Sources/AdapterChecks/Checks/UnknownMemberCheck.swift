import AdapterSyntax
import WorklightProject

/// Functions of `WL.Server`, `WL.Logger` and `WL.Geo` that there are not, and what of `WL` only clients have.
enum UnknownMemberCheck: ScriptCheck {
    private static let known = [
        "Server": RuntimeNames.server, "Logger": RuntimeNames.logger, "Geo": RuntimeNames.geo,
    ]

    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let tree = script.tree
        var calls: [(id: NodeID, parts: [String])] = []
        var asked: Set<String> = []
        tree.walk(
            from: tree.root,
            enter: { id in
                asked.formUnion(questions(at: id, tree))
                guard tree.kind(id) == .call, let path = tree.path(tree.child(id, 0)), !isOptional(id, tree) else {
                    return true
                }
                let parts = path.split(separator: ".").map(String.init)
                if parts.count >= 2, ["WL", "MFP"].contains(parts[0]), script.isRuntimeName(tree.child(id, 0)) {
                    calls.append((id, parts))
                }
                return true
            }, leave: { _ in })
        return calls.compactMap { call in
            // A script that asks whether it is there reckons with its not being there.
            guard
                !call.parts.indices.dropFirst().contains(where: {
                    asked.contains(call.parts[...$0].joined(separator: "."))
                }),
                let reason = reason(call.parts)
            else { return nil }
            return script.problem(.unknownMember, at: tree.range(call.id), reason)
        }
    }

    /// The paths of which a node asks whether there is something: `if (WL.Server.x)`, `typeof WL.Server.x`.
    private static func questions(at id: NodeID, _ tree: SyntaxTree) -> [String] {
        ExistenceGuards.subject(of: id, tree).flatMap { tree.path($0) }.map { [$0] } ?? []
    }

    /// Whether a call is left out when there is no such function: `WL.Server.x?.()`.
    private static func isOptional(_ call: NodeID, _ tree: SyntaxTree) -> Bool {
        let end = tree.range(tree.child(call, 0)).end
        return tree.source.text(in: SourceRange(end, tree.range(call).end)).drop(while: \.isWhitespace).hasPrefix("?.")
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
