import AdapterSyntax
import WorklightProject

/// Procedures without a function, functions without a use, and two functions of one name.
enum FunctionCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        missing(script) + unused(script, project) + duplicates(script)
    }

    private static func missing(_ script: ParsedScript) -> [ProjectError] {
        let others = othersThanFunctions(in: script)
        return script.descriptor.procedures.compactMap { procedure in
            let (name, path) = (procedure.name, script.descriptor.scriptPath)
            if let line = others[name] {
                return script.problem(
                    .missingFunction, inXMLAt: procedure.line,
                    "procedure '\(name)' is declared, but '\(name)' on line \(line) of \(path) is not a function, so "
                        + "calling it fails; make it a function, or remove the declaration")
            }
            guard script.lacks(name) else { return nil }
            return script.problem(
                .missingFunction, inXMLAt: procedure.line,
                "procedure '\(name)' is declared, but \(path) has no function of that name, so calling it fails"
                    + Suggestion.text(for: name, among: undeclared(script)))
        }
    }

    /// Returns the lines of the variables that hold something else than a function, and nothing else ever, by name.
    private static func othersThanFunctions(in script: ParsedScript) -> [String: Int] {
        guard !script.hasHiddenNames else { return [:] }
        let tree = script.tree
        let others = script.names.constants.filter {
            $0.isOfTopLevel && isNoFunction($0.value, tree) && !script.facts.globalFunctionNames.contains($0.name)
        }
        return Dictionary(
            others.map { ($0.name, tree.source.position(at: tree.range($0.declarator).start).line) }
        ) { first, _ in first }
    }

    private static func isNoFunction(_ value: NodeID, _ tree: SyntaxTree) -> Bool {
        switch tree.kind(tree.unwrapped(value)) {
        case .numberLiteral, .stringLiteral, .templateLiteral, .regularExpression, .trueLiteral, .falseLiteral,
            .nullLiteral, .arrayLiteral, .objectLiteral:
            true
        default: false
        }
    }

    private static func undeclared(_ script: ParsedScript) -> Set<String> {
        script.facts.globalFunctionNames.subtracting(script.descriptor.procedures.map(\.name))
    }

    private static func unused(_ script: ParsedScript, _ project: ParsedProject) -> [ProjectError] {
        let known = Set(script.descriptor.procedures.map(\.name)).union(
            project.realmFunctions(of: script.descriptor.name))
        let counts = occurrences(in: script)
        return script.facts.functions.compactMap { function in
            guard function.outer == nil, function.isGlobal, let name = function.name, !known.contains(name),
                counts[name] == 1, !project.project.isConfigured(function: name, of: script.descriptor.name)
            else { return nil }
            return script.problem(
                .unusedFunction, at: function.range,
                "nothing uses the function '\(name)', and \(script.descriptor.path) does not declare it, so no client can call it; "
                    + "add <procedure name=\"\(name)\"/> there, or remove it"
                    + (project.hasRealms
                        ? ""
                        : "; if a realm is to call it, \(AuthenticationConfiguration.path) is missing, which names it"),
                severity: .note)
        }
    }

    /// Returns the number of occurrences of each word in a script, in code, strings and comments.
    private static func occurrences(in script: ParsedScript) -> [String: Int] {
        var counts: [String: Int] = [:]
        for word in script.tree.source.bytes.split(whereSeparator: { !isWord($0) }) {
            counts[String(decoding: word, as: UTF8.self), default: 0] += 1
        }
        return counts
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: byte >= 0x80
        }
    }

    private static func duplicates(_ script: ParsedScript) -> [ProjectError] {
        var first: [String: ScriptFacts.Function] = [:]
        var problems: [ProjectError] = []
        for function in declarations(script) {
            guard let name = function.name else { continue }
            if let earlier = first[name] {
                problems.append(
                    script.problem(
                        .duplicateFunction, at: function.range,
                        "the function '\(name)' is defined on line \(earlier.position.line) already; this definition replaces it "
                            + "everywhere, also in calls above it; rename or remove one of them"))
            } else {
                first[name] = function
            }
        }
        return problems
    }

    /// Returns the `function name() {}` that are at the top level, and in no block.
    private static func declarations(_ script: ParsedScript) -> [ScriptFacts.Function] {
        let tree = script.tree
        let ranges = Set(
            tree.children(tree.root).filter { tree.kind($0) == .functionDeclaration }.map { tree.range($0) })
        return script.facts.functions.filter { ranges.contains($0.range) }
    }
}
