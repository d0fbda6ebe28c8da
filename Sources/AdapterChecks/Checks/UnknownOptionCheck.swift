import AdapterSyntax
import WorklightProject

/// Options that nothing reads: they are misspelt, or stand in the wrong object.
enum UnknownOptionCheck: ScriptCheck {
    private static let callbacks: Set = [
        "onDeviceSubscribe", "onDeviceUnsubscribe", "onUserSubscribe", "onUserUnsubscribe", "onUserChange",
    ]

    private static let known: [String: Set<String>] = [
        "createEventSource": callbacks.union(["name", "poll", "securityTest"]),
        "invokeHttp": [
            "method", "path", "parameters", "headers", "cookies", "body", "returnedContentType",
            "returnedContentEncoding", "transformation", "connectionTimeoutInMilliseconds",
            "socketTimeoutInMilliseconds",
        ],
        "invokeSQLStatement": ["preparedStatement", "parameters", "transformation"],
        "invokeSQLStoredProcedure": ["procedure", "parameters", "transformation"],
        "sendMessage": ["message", "target", "settings"],
    ]

    private static let poll: Set<String> = ["interval", "onPoll"]

    static func problems(in script: ReadScript, of project: ReadProject) -> [ProjectProblem] {
        script.facts.serverCalls.flatMap { call in
            guard let names = known[call.name],
                let options = call.name == "sendMessage" ? call.arguments.dropFirst().first : call.arguments.first
            else { return [ProjectProblem]() }
            let outer = unknown(in: options, names, of: call.name, script)
            guard call.name == "createEventSource", let inner = options["poll"] else { return outer }
            return outer + unknown(in: inner, poll, of: "\(call.name): poll", script)
        }
    }

    private static func unknown(
        in options: LiteralValue, _ names: Set<String>, of function: String, _ script: ReadScript
    ) -> [ProjectProblem] {
        guard case .object(let members) = options else { return [] }
        return members.filter { !names.contains($0.key) && !$0.isUnknown }.map { member in
            script.problem(
                .unknownOption, at: member.range,
                "\(function): the option '\(member.key)' is not known and does nothing" + hint(member.key, names))
        }
    }

    private static func hint(_ name: String, _ names: Set<String>) -> String {
        if let near = Suggestion.nearest(to: name, among: names) { return "; is '\(near)' meant?" }
        if names.contains("poll"), poll.contains(name) { return "; it belongs into poll: { interval: …, onPoll: … }" }
        if names == poll, callbacks.contains(name) || name == "securityTest" { return "; it belongs beside poll" }
        return "; it can be left out"
    }
}
