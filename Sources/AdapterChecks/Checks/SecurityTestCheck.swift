import AdapterSyntax
import WorklightProject

/// Procedures and event sources of which a project with security does not say who may use them.
enum SecurityTestCheck: ScriptCheck {
    static func problems(in script: ReadScript, of project: ReadProject) -> [ProjectProblem] {
        guard project.hasSecurity else { return [] }
        return procedures(script) + eventSources(script, project)
    }

    private static let advice =
        "; name a test of \(AuthenticationConfiguration.path), or \(AuthenticationConfiguration.unprotectedTest) to say that this is meant"

    private static func procedures(_ script: ReadScript) -> [ProjectProblem] {
        script.descriptor.procedures.filter { $0.securityTest == nil }.map { procedure in
            script.problem(
                .missingSecurityTest, inXMLAt: procedure.line,
                "procedure '\(procedure.name)' has no securityTest: every client that gets into an application may call it"
                    + advice)
        }
    }

    private static func eventSources(_ script: ReadScript, _ project: ReadProject) -> [ProjectProblem] {
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
                project.project.authentication.securityTest(named: test) == nil
            else { return nil }
            return script.problem(
                .unknownSecurityTest, at: source.call.range,
                "\(name): the security test '\(test)' is not defined in \(AuthenticationConfiguration.path), so nobody can subscribe"
                    + Suggestion.text(for: test, among: project.project.authentication.securityTests.map(\.name)))
        }
    }
}
