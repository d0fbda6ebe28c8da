import AdapterSyntax
import WorklightProject

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
            // What is there and cannot be loaded is another problem.
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
