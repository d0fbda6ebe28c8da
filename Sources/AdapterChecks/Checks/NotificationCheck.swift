import AdapterSyntax
import Core
import PushModel
import WorklightProject

/// Notifications whose values no push service takes, and messages to applications and tags that the project does not have.
enum NotificationCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        script.facts.serverCalls.flatMap { call -> [ProjectError] in
            if call.name == "sendMessage" { return broadcast(call, script, project) }
            guard let options = PayloadSizeCheck.options(of: call) else { return [] }
            return errors(in: options).map { script.problem(.wrongArgument, at: call.range, "\(call.name): \($0)") }
        }
    }

    /// Returns the errors that `notify*` would report for these options. A computed value counts as absent, so a missing value is not an error.
    private static func errors(in options: JSONValue) -> [NotificationError] {
        do throws(NotificationError) {
            return certain(Array(try PushNotification(options: options).problems.values))
        } catch {
            return certain([error])
        }
    }

    private static func certain(_ errors: [NotificationError]) -> [NotificationError] {
        errors.filter { $0.found != .null }.sorted { $0.path < $1.path }
    }

    private static func broadcast(
        _ call: ScriptFacts.ServerCall, _ script: ParsedScript, _ project: ParsedProject
    ) -> [ProjectError] {
        var problems: [ProjectError] = []
        let application = call.arguments.first?.text
        let tags = application.flatMap { project.project.application(id: $0)?.tags.map(\.name) }
        if let application, tags == nil, project.hasAllApplications {
            problems.append(
                script.problem(
                    .unknownApplication, at: call.range,
                    "sendMessage: the project has no application '\(application)', so nobody gets the message"
                        + Suggestion.text(for: application, among: project.project.applications.map(\.id))))
        }
        guard call.arguments.count > 1, let options = PayloadSizeCheck.json(call.arguments[1]) else { return problems }
        let message: BroadcastMessage
        do throws(NotificationError) {
            message = try BroadcastMessage(options: options)
        } catch {
            return problems
                + certain([error]).map { script.problem(.wrongArgument, at: call.range, "sendMessage: \($0)") }
        }
        problems += message.warnings.map { script.problem(.wrongArgument, at: call.range, "sendMessage: \($0)") }
        if let tags, case .tags(let names) = message.target {
            let known = Tags(declared: tags)
            for name in names where (try? known.checked(name)) == nil {
                problems.append(
                    script.problem(
                        .unknownTag, at: call.range,
                        "sendMessage: the application '\(application ?? "")' declares no tag '\(name)', so the call fails"
                            + Suggestion.text(for: name, among: tags)))
            }
        }
        return problems
    }
}
