import AdapterSyntax
import WorklightProject

/// Event sources and event handlers that name functions which do not exist.
enum UndefinedCallbackCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        eventSources(script) + handlers(script)
    }

    private static func eventSources(_ script: ParsedScript) -> [ProjectError] {
        script.facts.eventSources.flatMap { source in
            let name = source.name.map { "event source '\($0)'" } ?? "the event source"
            var problems = source.callbacks.compactMap { callback in
                message(callback.value, in: script).map { reason in
                    script.problem(
                        .undefinedCallback, at: callback.range,
                        "\(name): \(callback.role) \(reason); " + consequence(of: callback))
                }
            }
            if let poll = source.call.arguments.first?["poll"], poll.isWholeObject {
                for (key, need) in [("onPoll", "the function to call"), ("interval", "the seconds between two polls")]
                where poll[key] == nil {
                    problems.append(
                        script.problem(
                            .undefinedCallback, at: source.call.range,
                            "\(name): 'poll' has no '\(key)', so the adapter cannot be loaded; add it: \(need)",
                            severity: .error))
                }
            }
            return problems
        }
    }

    /// Returns the consequence of the problem.
    private static func consequence(of callback: EventSourceFact.Callback) -> String {
        if case .other = callback.value { return "a function or the name of one is expected there" }
        if case .string = callback.value {
            return callback.role == "onPoll"
                ? "every poll fails and nothing is ever fetched; define the function at the top level of the script"
                : "it is never called; define the function at the top level of the script, or leave \(callback.role) out"
        }
        return "loading the script fails; define the function at its top level"
    }

    private static func handlers(_ script: ParsedScript) -> [ProjectError] {
        let calls = script.calls(of: "createEventHandler", "createSMSEventHandler", "createUSSDEventHandler")
        return calls.compactMap { call in
            guard call.arguments.count > 1, let reason = message(call.arguments[1], in: script) else { return nil }
            return script.problem(
                .undefinedCallback, at: call.range,
                "\(call.name): the handler \(reason); the adapter cannot be loaded; define the function at the top level of the "
                    + "script")
        }
    }

    /// Returns the problem of a callback; `nil` when it has none, or none can be found.
    private static func message(_ value: LiteralValue, in script: ParsedScript) -> String? {
        switch value {
        case .other(let range):
            guard let call = script.calledFunction(at: range) else { return nil }
            return "is the result of \(call)(), which runs here once; write \(call), without the parentheses"
        case .string(let name):
            guard !name.isEmpty, script.lacks(name) else { return nil }
            let known = script.facts.globalFunctionNames
            return "names '\(name)', but there is no such function"
                + (Suggestion.nearest(to: name, among: known).map { " (is '\($0)' meant?)" } ?? "")
        case .name(let path):
            guard let root = path.split(separator: ".").first.map(String.init), script.facts.freeNames[root] != nil,
                script.lacks(root), !RuntimeNames.all.contains(root)
            else { return nil }
            return "is \(path), but nothing is called \(root)"
                + (Suggestion.nearest(to: root, among: script.facts.globalFunctionNames).map { " (is \($0) meant?)" }
                    ?? "")
        // ArgumentCheck reports what is certainly no function.
        default: return nil
        }
    }
}

/// Realms whose login and logout functions do not exist.
enum LoginFunctionCheck {
    static func problems(in project: ParsedProject) -> [ProjectError] {
        project.project.authentication.realms.flatMap { realm in
            RealmFunction.all(of: realm).compactMap { named in
                guard let script = project.scripts[named.adapter], script.lacks(named.function) else { return nil }
                let isLogin = named.parameter == "login-function"
                return ProjectError(
                    isLogin ? .error : .warning, file: AuthenticationConfiguration.path, line: realm.line,
                    "\(named.parameter) of the realm '\(realm.name)' is '\(named.adapter).\(named.function)', but "
                        + "\(script.descriptor.scriptPath) has no function '\(named.function)': "
                        + (isLogin ? "nobody can log in" : "it is not called at a logout")
                        + Suggestion.text(for: named.function, among: script.facts.globalFunctionNames),
                    id: CheckID.undefinedCallback.rawValue)
            }
        }
    }
}

/// `invokeProcedure` of something that no XML declares.
enum UndeclaredProcedureCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        script.calls(of: "invokeProcedure").compactMap { call in
            guard let options = call.arguments.first, let adapter = options["adapter"]?.text else { return nil }
            return message(adapter, options["procedure"]?.text, project).map {
                script.problem(.undeclaredProcedure, at: call.range, "invokeProcedure: \($0)")
            }
        }
    }

    private static func message(_ adapter: String, _ procedure: String?, _ project: ParsedProject) -> String? {
        guard let descriptor = project.adapter(named: adapter) else {
            // An adapter that exists and cannot be loaded is another problem.
            guard !project.folders.contains(adapter) else { return nil }
            return "there is no adapter '\(adapter)'"
                + Suggestion.text(for: adapter, among: project.project.adapters.map(\.descriptor.name))
        }
        guard let procedure, descriptor.procedure(named: procedure) == nil else { return nil }
        let isThere = project.scripts[adapter]?.facts.globalFunctionNames.contains(procedure) ?? false
        return "\(descriptor.path) declares no procedure '\(procedure)', so the call fails"
            + (isThere
                ? "; \(descriptor.scriptPath) has a function of that name: add <procedure name=\"\(procedure)\"/> to the XML"
                : Suggestion.text(for: procedure, among: descriptor.procedures.map(\.name)))
    }
}
