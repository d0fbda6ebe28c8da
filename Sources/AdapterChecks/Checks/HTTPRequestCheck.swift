import AdapterSyntax
import WorklightProject

/// Requests that `invokeHttp` refuses whatever the back end says.
enum HTTPRequestCheck: ScriptCheck {
    private static let methods = ["get", "post", "put", "delete", "head", "patch", "options"]

    static func problems(in script: ReadScript, of project: ReadProject) -> [ProjectProblem] {
        script.calls(of: "invokeHttp").flatMap { call in
            guard let options = call.arguments.first else { return [ProjectProblem]() }
            return reasons(options).map { script.problem(.httpRequest, at: call.range, "invokeHttp: \($0)") }
        }
    }

    private static func reasons(_ options: LiteralValue) -> [String] {
        var reasons: [String] = []
        if options.isWholeObject {
            reasons += ["method", "path"].filter { options[$0] == nil }.map {
                "the option '\($0)' is missing, and the call fails without it"
            }
        }
        if let method = options["method"]?.text {
            if !methods.contains(method.lowercased()) {
                reasons.append("'method' is '\(method)'; expected one of \(methods.joined(separator: ", "))")
            } else if ["get", "head"].contains(method.lowercased()), let body = options["body"], isThere(body) {
                reasons.append("'body' is not allowed with \(method.lowercased()), and the call fails; use post or put")
            }
        }
        if let body = options["body"], case .string = body {
            reasons.append("'body' must be an object with 'contentType' and 'content', and is a text; the call fails")
        }
        if case .object(let headers)? = options["headers"] {
            reasons += headers.filter { $0.value == .null }.map {
                "the header '\($0.key)' is null, and the back end gets the text 'null'; leave it out"
            }
        }
        return reasons
    }

    private static func isThere(_ value: LiteralValue) -> Bool {
        if case .object = value { true } else { false }
    }
}
