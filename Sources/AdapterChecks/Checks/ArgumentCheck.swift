import AdapterSyntax
import WorklightProject

/// Calls of `WL.Server` with arguments or options that are missing, wrong or unknown.
enum ArgumentCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let loading = EventSourceCheck.statements(of: script)
        return script.facts.serverCalls.flatMap { call -> [ProjectError] in
            guard let arguments = ArgumentShapes.all[call.name], !isSpread(call, script) else { return [] }
            var reader = Reader(call: call, script: script)
            for (index, argument) in arguments.enumerated() {
                reader.read(call.arguments.count > index ? call.arguments[index] : nil, argument, index)
            }
            // An error while the script is loaded keeps the adapter from being served at all.
            let isFatal = call.name == "createEventSource" && loading.contains(call.range)
            return reader.found.map { found in
                script.problem(
                    found.id, at: found.range, "\(call.name): \(found.message)",
                    severity: isFatal && found.id == .wrongArgument ? .error : .warning)
            }
        }
    }

    /// Returns whether an argument is `...list`: then the positions of the arguments are unknown.
    private static func isSpread(_ call: ScriptFacts.ServerCall, _ script: ParsedScript) -> Bool {
        call.arguments.contains { value in
            if case .other(let range) = value { script.tree.source.text(in: range).hasPrefix("...") } else { false }
        }
    }

    private struct Reader {
        let call: ScriptFacts.ServerCall
        let script: ParsedScript
        var found: [(id: CheckID, range: SourceRange, message: String)] = []

        private var id: CheckID { call.name == "invokeHttp" ? .httpRequest : .wrongArgument }

        private static let places = ["first", "second", "third"]

        mutating func read(_ value: LiteralValue?, _ argument: ArgumentShapes.Argument, _ index: Int) {
            let (shape, place) = (argument.shape, Self.places[index])
            guard let value else {
                if argument.isRequired {
                    note("expected \(shape.expectation) as the \(place) argument, which is missing")
                }
                return
            }
            if case .null = value, !argument.isRequired { return }
            if shape.excludes(value) {
                let hint: String
                if case .made = shape, case .null = value { hint = ", so the call fails" } else { hint = "" }
                return note("expected \(shape.expectation) as the \(place) argument, got \(value.kind)\(hint)")
            }
            if case .options(let options) = shape { read(value, options, path: "", at: call.range) }
        }

        private mutating func note(_ message: String, at range: SourceRange? = nil, id: CheckID? = nil) {
            found.append((id ?? self.id, range ?? call.range, message))
        }

        private mutating func read(
            _ value: LiteralValue, _ options: [ArgumentShape.Option], path: String, at range: SourceRange
        ) {
            guard case .object(let members) = value, !members.contains(where: { $0.key == "__proto__" }) else { return }
            var missing: [ArgumentShape.Option] = []
            if value.isWholeObject {
                missing = options.filter { option in option.isRequired && isAbsent(value[option.name]) }
            }
            for option in missing {
                note("the option '\(path)\(option.name)' is missing; expected \(option.shape.expectation)", at: range)
            }
            for member in members where !member.isUnknown {
                guard let option = options.first(where: { $0.name == member.key }) else {
                    noteUnknown(member, options, path: path, missing: missing)
                    continue
                }
                if case .null = member.value { continue }
                if option.shape.excludes(member.value) {
                    note(
                        "the option '\(path)\(member.key)' is \(member.value.kind); expected \(option.shape.expectation)",
                        at: member.range)
                } else if case .options(let inner) = option.shape {
                    read(member.value, inner, path: "\(path)\(member.key).", at: member.range)
                }
            }
        }

        private func isAbsent(_ value: LiteralValue?) -> Bool {
            switch value {
            case nil, .null?: true
            default: false
            }
        }

        private mutating func noteUnknown(
            _ member: LiteralValue.Member, _ options: [ArgumentShape.Option], path: String,
            missing: [ArgumentShape.Option]
        ) {
            note(
                "the option '\(path)\(member.key)' is not known and does nothing"
                    + hint(member.key, options.map(\.name), missing.map(\.name)),
                at: member.range, id: .unknownOption)
        }

        private func hint(_ name: String, _ names: [String], _ missing: [String]) -> String {
            if let near = Suggestion.nearest(to: name, among: names) { return "; is '\(near)' meant?" }
            if names.contains("poll"), ["interval", "onPoll"].contains(name) {
                return "; it belongs into poll: { interval: …, onPoll: … }"
            }
            if names.contains("onPoll"), ArgumentShapes.callbacks.contains(name) || name == "securityTest" {
                return "; it belongs beside poll"
            }
            // An unknown option is most likely a misspelling of the only missing required one.
            if missing.count == 1 { return "; is '\(missing[0])' meant?" }
            return Suggestion.text(for: name, among: names)
        }
    }
}
