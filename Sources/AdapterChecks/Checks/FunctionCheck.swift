import AdapterSyntax
import WorklightProject

/// Procedures without a function, functions without a use, and two functions of one name.
enum FunctionCheck: ScriptCheck {
    static func problems(in script: ReadScript, of project: ReadProject) -> [ProjectProblem] {
        missing(script) + unused(script, project) + duplicates(script)
    }

    private static func missing(_ script: ReadScript) -> [ProjectProblem] {
        script.descriptor.procedures.filter { script.lacks($0.name) }.map { procedure in
            script.problem(
                .missingFunction, inXMLAt: procedure.line,
                "procedure '\(procedure.name)' is declared, but \(script.descriptor.scriptPath) has no function of that name, so "
                    + "calling it fails" + Suggestion.text(for: procedure.name, among: undeclared(script)))
        }
    }

    private static func undeclared(_ script: ReadScript) -> Set<String> {
        script.facts.globalFunctionNames.subtracting(script.descriptor.procedures.map(\.name))
    }

    private static func unused(_ script: ReadScript, _ project: ReadProject) -> [ProjectProblem] {
        let known = Set(script.descriptor.procedures.map(\.name)).union(
            project.realmFunctions(of: script.descriptor.name))
        let counts = occurrences(in: script)
        return script.facts.functions.compactMap { function in
            guard function.outer == nil, function.isGlobal, let name = function.name, !known.contains(name),
                counts[name] == 1
            else { return nil }
            return script.problem(
                .unusedFunction, at: function.range,
                "nothing uses the function '\(name)', and \(script.descriptor.path) does not declare it, so no client can call it; "
                    + "add <procedure name=\"\(name)\"/> there, or remove it", severity: .note)
        }
    }

    /// How often a script's text has each word, be it in a text or a comment.
    private static func occurrences(in script: ReadScript) -> [String: Int] {
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

    private static func duplicates(_ script: ReadScript) -> [ProjectProblem] {
        var first: [String: ScriptFacts.Function] = [:]
        var problems: [ProjectProblem] = []
        for function in declarations(script) {
            guard let name = function.name else { continue }
            if let earlier = first[name] {
                problems.append(
                    script.problem(
                        .duplicateFunction, at: function.range,
                        "the function '\(name)' is defined on line \(earlier.position.line) already; this one takes its place "
                            + "everywhere, also in calls above it; rename or remove one of them"))
            } else {
                first[name] = function
            }
        }
        return problems
    }

    /// The `function name() {}` that stand at the top level, and in no block.
    private static func declarations(_ script: ReadScript) -> [ScriptFacts.Function] {
        let tree = script.tree
        let ranges = Set(
            tree.children(tree.root).filter { tree.kind($0) == .functionDeclaration }.map { tree.range($0) })
        return script.facts.functions.filter { ranges.contains($0.range) }
    }
}
