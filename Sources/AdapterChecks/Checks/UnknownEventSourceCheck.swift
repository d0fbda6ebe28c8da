import AdapterSyntax
import WorklightProject

/// Event sources that are asked for and that nothing declares, mostly since an adapter was copied and renamed.
enum UnknownEventSourceCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let calls = script.calls(
            of: "getUserNotificationSubscription", "subscribeSMS", "getSMSSubscription", "unsubscribeSMS")
        return calls.compactMap { call in
            guard let text = call.arguments.first?.text else { return nil }
            return reason(text, script, project).map {
                script.problem(.unknownEventSource, at: call.range, "\(call.name): \($0)")
            }
        }
    }

    private static func reason(_ text: String, _ script: ParsedScript, _ project: ParsedProject) -> String? {
        let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
        guard let name = parts.last, !name.isEmpty else { return nil }
        let adapter = parts.count == 2 ? parts[0] : script.descriptor.name
        guard let other = project.scripts[adapter] else {
            guard !project.folders.contains(adapter), project.adapter(named: adapter) == nil else { return nil }
            return "'\(text)' is of the adapter '\(adapter)', which does not exist"
                + Suggestion.text(for: adapter, among: project.project.adapters.map(\.descriptor.name))
        }
        let declared = other.calls(of: "createEventSource")
        let names = other.facts.eventSources.compactMap(\.name)
        // One whose name is computed may be the one that is meant.
        guard names.count == declared.count, !names.contains(name) else { return nil }
        return "\(other.descriptor.scriptPath) declares no event source '\(name)', so there is never a subscription"
            + Suggestion.text(for: name, among: names)
    }
}
