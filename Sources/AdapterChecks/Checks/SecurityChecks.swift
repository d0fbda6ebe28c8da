import AdapterSyntax
import WorklightProject

/// Finds procedures and event sources without a security test in a project that has security.
enum SecurityTestCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        guard project.hasSecurity else { return [] }
        return procedures(script, project) + eventSources(script, project)
    }

    private static let advice =
        "; name a test of \(AuthenticationConfiguration.path), or \(AuthenticationConfiguration.unprotectedTest) to say that this is meant"

    private static func procedures(_ script: ParsedScript, _ project: ParsedProject) -> [ProjectError] {
        // A comment may allow each for itself.
        let open = script.descriptor.procedures.filter {
            $0.securityTest == nil && !project.allowances.allow(.missingSecurityTest, script.descriptor.path, $0.line)
        }
        guard let first = open.first else { return [] }
        let names = open.prefix(5).map { "'\($0.name)'" }.joined(separator: ", ")
        let others = open.count > 5 ? " and \(open.count - 5) more" : ""
        let subject =
            open.count == 1 ? "procedure \(names) has" : "\(open.count) procedures have"
        return [
            script.problem(
                .missingSecurityTest, inXMLAt: first.line,
                "\(subject) no securityTest\(open.count == 1 ? "" : " (\(names)\(others))"): every client that gets into an "
                    + "application may call \(open.count == 1 ? "it" : "them")" + advice)
        ]
    }

    private static func eventSources(_ script: ParsedScript, _ project: ParsedProject) -> [ProjectError] {
        script.facts.eventSources.compactMap { source in
            guard let options = source.call.arguments.first else { return nil }
            let name = source.name.map { "event source '\($0)'" } ?? "the event source"
            guard let test = options["securityTest"] else {
                guard options.isWholeObject else { return nil }
                return script.problem(
                    .missingSecurityTest, at: source.call.range,
                    "\(name) has no securityTest: every client that gets into an application may subscribe" + advice)
            }
            guard let test = test.text, test != AuthenticationConfiguration.unprotectedTest,
                project.project.authentication.isReadable,
                project.project.authentication.securityTest(named: test) == nil
            else { return nil }
            return script.problem(
                .unknownSecurityTest, at: source.call.range,
                "\(name): the security test '\(test)' is not defined in \(AuthenticationConfiguration.path), so nobody can subscribe"
                    + Suggestion.text(for: test, among: project.project.authentication.securityTests.map(\.name)))
        }
    }
}

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

/// Scripted authenticators whose data does not name the user whom a login concerns.
enum LoginKeyCheck {
    /// - Parameter realms: those for which a setting names the member that identifies the login.
    static func problems(in project: Project, except realms: Set<String>) -> [ProjectError] {
        project.authentication.realms.compactMap { realm in
            guard !realms.contains(realm.name), let className = realm.className else { return nil }
            let name = AuthenticationConfiguration.scriptName(ofClass: className, realm: realm.name)
            guard
                let script = project.realmScripts.first(where: { $0.descriptor.name == name }).flatMap(
                    ParsedScript.init),
                let range = dataWithoutUser(in: script)
            else { return nil }
            return script.problem(
                .loginKey, at: range,
                "getAuthenticationData returns neither 'username' nor 'user', so wrong passwords of the realm '\(realm.name)' are "
                    + "limited by the client's address alone; if a member identifies the account, set loginKeys: "
                    + "[\(realm.name)=MEMBER] in lamplighter.yaml")
        }
    }

    /// Returns the range of a `getAuthenticationData` that certainly names no user: it returns object literals, or variables that it
    /// declares, and no property in it has the name `username` or `user`.
    private static func dataWithoutUser(in script: ParsedScript) -> SourceRange? {
        let tree = script.tree
        let functions = script.facts.functions.filter { $0.isGlobal && $0.name == "getAuthenticationData" }
        guard functions.count == 1 else { return nil }
        let range = functions[0].range
        let text = tree.source.text(in: range)
        let property =
            /\.\s*(username|user)\b|["'](username|user)["']|\b(username|user)\s*:|[{,]\s*(username|user)\s*[,}]/
        guard text.firstMatch(of: property) == nil else { return nil }
        let values = tree.all.filter { tree.kind($0) == .returnStatement && range.contains(tree.range($0)) }
            .map { tree.unwrapped(tree.child($0, 0)) }
        let isCertain = values.allSatisfy { value in
            switch tree.kind(value) {
            case .objectLiteral: true
            case .identifier: text.contains("var \(tree.name(value))")
            default: false
            }
        }
        return isCertain && !values.isEmpty ? range : nil
    }
}
