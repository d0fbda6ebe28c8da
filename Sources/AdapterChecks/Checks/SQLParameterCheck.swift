import AdapterSyntax
import WorklightProject

/// Statements that get more or fewer values than they have `?`.
enum SQLParameterCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let counts = parameterCounts(of: script)
        return script.calls(of: "invokeSQLStatement").compactMap { call in
            guard let options = call.arguments.first, case .name(let name)? = options["preparedStatement"],
                let expected = counts[name], options.isWholeObject, isOfTopLevel(name, in: options, script)
            else { return nil }
            let found: Int
            switch options["parameters"] {
            case nil: found = 0
            case .array(let values)? where !hasSpread(values, script): found = values.count
            default: return nil
            }
            guard found != expected else { return nil }
            return script.problem(
                .sqlParameters, at: call.range,
                "the statement '\(name)' has \(expected) ?, and \(found) parameter\(found == 1 ? " is" : "s are") given"
            )
        }
    }

    /// Returns whether the statement is the variable of the top level, and not another of its name.
    private static func isOfTopLevel(_ name: String, in options: LiteralValue, _ script: ParsedScript) -> Bool {
        guard case .object(let members) = options, let member = members.last(where: { $0.key == "preparedStatement" })
        else { return false }
        return script.names.uses.contains {
            $0.name == name && $0.meaning == .topLevel && member.range.contains(script.tree.range($0.node))
        }
    }

    private static func hasSpread(_ values: [LiteralValue], _ script: ParsedScript) -> Bool {
        values.contains { value in
            if case .other(let range) = value { script.tree.source.text(in: range).hasPrefix("...") } else { false }
        }
    }

    /// Returns the number of `?` in each statement whose SQL is known, by the top-level variable that holds it.
    private static func parameterCounts(of script: ParsedScript) -> [String: Int] {
        var counts: [String: Int] = [:]
        for variable in script.facts.variables where variable.assignments.isEmpty {
            let calls = script.calls(of: "createSQLStatement").filter {
                $0.function == nil && variable.range.contains($0.range)
            }
            guard calls.count == 1, let call = calls.first, let text = call.arguments.first?.text,
                call.range.end == variable.range.end
            else { continue }
            counts[variable.name] = questionMarks(in: text)
        }
        return counts
    }

    /// Returns the number of `?` outside of SQL's strings, names and comments; `nil` when there is something else that may hide or be one.
    private static func questionMarks(in sql: String) -> Int? {
        if ["--", "/*", "$", "??", "?|", "?&"].contains(where: sql.contains) { return nil }
        var quote: Character?
        var count = 0
        for character in sql {
            if let open = quote {
                if character == open { quote = nil }
            } else if "'\"`".contains(character) {
                quote = character
            } else if character == "?" {
                count += 1
            }
        }
        return quote == nil ? count : nil
    }
}
