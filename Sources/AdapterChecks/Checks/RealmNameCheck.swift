import AdapterSyntax
import WorklightProject

/// Realms that scripts name and authenticationConfig.xml does not define.
enum RealmNameCheck: ScriptCheck {
    static func problems(in script: ReadScript, of project: ReadProject) -> [ProjectProblem] {
        let authentication = project.project.authentication
        guard project.hasRealms, authentication.isReadable else { return [] }
        return script.calls(of: "setActiveUser", "getActiveUser", "getCurrentUserIdentity").compactMap { call in
            guard let name = call.arguments.first?.text, authentication.realm(named: name) == nil,
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
