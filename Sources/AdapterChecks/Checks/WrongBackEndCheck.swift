import AdapterSyntax
import WorklightProject

/// Back ends that are called and that the adapter's XML does not describe.
enum WrongBackEndCheck: ScriptCheck {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        script.facts.serverCalls.compactMap { call in
            guard let (kind, type) = need(of: call.name, script.descriptor.connectivity) else { return nil }
            return script.problem(
                .wrongBackEnd, at: call.range,
                "\(call.name) fails, since \(script.descriptor.path) has no \(kind) back end; add a connectionPolicy of type \(type)"
            )
        }
    }

    private static func need(of function: String, _ connectivity: Connectivity) -> (kind: String, type: String)? {
        switch function {
        case "invokeHttp":
            connectivity.http == nil ? ("HTTP", "http:HTTPConnectionPolicyType") : nil
        case "createSQLStatement", "invokeSQLStatement", "invokeSQLStoredProcedure":
            connectivity.sql == nil ? ("SQL", "sql:SQLConnectionPolicy") : nil
        default: nil
        }
    }
}
