import AdapterSyntax
import WorklightProject

/// Realms that scripts name and authenticationConfig.xml does not define.
enum RealmNameCheck: ScriptCheck {
    /// The realms that the project's scripts name in `setActiveUser`.
    private static func setRealms(_ project: ParsedProject) -> Set<String> {
        Set(project.scripts.values.flatMap { $0.calls(of: "setActiveUser") }.compactMap { $0.arguments.first?.text })
    }

    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let authentication = project.project.authentication
        guard project.hasRealms, authentication.isReadable else { return [] }
        return script.calls(of: "setActiveUser", "getActiveUser", "getCurrentUserIdentity").compactMap { call in
            // A realm that a script logs users in to has its user, defined or not.
            guard let name = call.arguments.first?.text,
                call.name == "setActiveUser" || !setRealms(project).contains(name),
                authentication.realm(named: name) == nil,
                !AuthenticationConfiguration.builtInRealms.contains(name)
            else { return nil }
            return script.problem(
                .unknownRealm, at: call.range,
                "\(call.name): the realm '\(name)' is not defined in \(AuthenticationConfiguration.path), so "
                    + (call.name == "setActiveUser" ? "no security test is passed" : "nobody is ever logged in to it")
                    + Suggestion.text(for: name, among: authentication.realms.map(\.name)))
        }
    }
}
