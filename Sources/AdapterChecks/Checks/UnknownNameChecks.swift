import AdapterSyntax
import WorklightProject

/// Names that neither the script nor the runtime has: each is a ReferenceError when it is reached.
enum UnknownNameCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let facts = script.facts
        // Whole packages of Java: anything may be a class of theirs.
        guard !script.hasHiddenNames, facts.freeNames["importPackage"] == nil, facts.freeNames["JavaImporter"] == nil
        else { return [] }
        let told = callbackNames(of: script)
        let imports = imports(of: script)
        let filters = filters(of: script)
        return facts.freeNames.compactMap { name, ranges in
            guard !RuntimeNames.all.contains(name), !script.definedNames.contains(name),
                !facts.guardedNames.contains(name), !told.contains(name), !imports.contains(name),
                let first = ranges.filter({ range in !filters.contains { $0.contains(range) } }).min(by: {
                    $0.start < $1.start
                })
            else { return nil }
            return script.problem(
                .unknownName, at: first,
                "nothing is called '\(name)', so this is a ReferenceError when it is reached" + advice(name, script))
        }
    }

    private static func advice(_ name: String, _ script: ParsedScript) -> String {
        if let advice = RuntimeNames.elsewhere[name] { return "; \(advice)" }
        let known = script.definedNames.union(RuntimeNames.language).union(RuntimeNames.bindings)
        if let near = Suggestion.nearest(to: name, among: known) { return "; is '\(near)' meant?" }
        return "; declare it, or take it out"
    }

    /// Returns the functions that event sources and handlers name. ``UndefinedCallbackCheck`` reports those that are missing.
    private static func callbackNames(of script: ParsedScript) -> Set<String> {
        let handlers = script.calls(of: "createEventHandler", "createSMSEventHandler", "createUSSDEventHandler")
        let values =
            script.facts.eventSources.flatMap(\.callbacks).map(\.value)
            + handlers.filter { $0.arguments.count > 1 }.map { $0.arguments[1] }
        return Set(
            values.compactMap { value in
                guard case .name(let path) = value else { return nil }
                return path.split(separator: ".").first.map(String.init)
            })
    }

    /// Returns the conditions of E4X's filters, in which elements of the XML have names.
    private static func filters(of script: ParsedScript) -> [SourceRange] {
        let tree = script.tree
        return tree.all.filter { tree.kind($0) == .xmlFilter }.map { tree.range(tree.child($0, 1)) }
    }

    /// Returns the classes that `importClass` makes variables.
    private static func imports(of script: ParsedScript) -> Set<String> {
        guard script.facts.freeNames["importClass"] != nil else { return [] }
        let tree = script.tree
        var names: Set<String> = []
        for id in tree.all where tree.kind(id) == .call && tree.path(tree.child(id, 0)) == "importClass" {
            for argument in tree.children(id).dropFirst() {
                if let name = tree.path(argument)?.split(separator: ".").last { names.insert(String(name)) }
            }
        }
        return names
    }
}

/// Finds uses of unknown functions of `WL.Server`, `WL.Logger` and `WL.Geo`, and of members of `WL` that only clients have.
enum UnknownMemberCheck: ScriptCheck {
    private static let known = [
        "Server": RuntimeNames.server, "Logger": RuntimeNames.logger, "Geo": RuntimeNames.geo,
    ]

    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let tree = script.tree
        var calls: [(id: NodeID, parts: [String])] = []
        var asked: Set<String> = []
        for id in tree.all {
            asked.formUnion(questions(at: id, tree))
            guard tree.kind(id) == .call, let path = tree.path(tree.child(id, 0)), !isOptional(id, tree) else {
                continue
            }
            let parts = path.split(separator: ".").map(String.init)
            if parts.count >= 2, ["WL", "MFP"].contains(parts[0]), script.isRuntimeName(tree.child(id, 0)) {
                calls.append((id, parts))
            }
        }
        return calls.compactMap { call in
            // A script that checks whether the function exists is prepared for its absence.
            guard
                !call.parts.indices.dropFirst().contains(where: {
                    asked.contains(call.parts[...$0].joined(separator: "."))
                }),
                let reason = reason(call.parts)
            else { return nil }
            return script.problem(.unknownMember, at: tree.range(call.id), reason)
        }
    }

    /// Returns the paths of which a node asks whether there is something: `if (WL.Server.x)`, `typeof WL.Server.x`.
    private static func questions(at id: NodeID, _ tree: SyntaxTree) -> [String] {
        ExistenceGuards.subject(of: id, tree).flatMap { tree.path($0) }.map { [$0] } ?? []
    }

    /// Returns whether a call is skipped when there is no such function: `WL.Server.x?.()`.
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
