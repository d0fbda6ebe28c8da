import AdapterSyntax
import WorklightProject

/// Functions of the original that Lamplighter has by name only.
enum UnavailableCheck: ScriptCheck {
    private static let advice: [String: String] = {
        let jms = "put a bridge that speaks HTTP before the queue, and call it with invokeHttp"
        let sap = "the gateway is an OData service, which invokeHttp can call"
        return [
            "readSingleJMSMessage": jms, "readAllJMSMessages": jms, "writeJMSMessage": jms,
            "requestReplyJMSMessage": jms, "fetchNWBusinessObject": sap, "createNWBusinessObject": sap,
            "updateNWBusinessObject": sap, "deleteNWBusinessObject": sap,
            "invokeCastIron": "orchestrations that are published over HTTP can be called with invokeHttp",
            "signSoapMessage": "have a gateway before the service sign them",
        ]
    }()

    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        script.facts.serverCalls.compactMap { call in
            advice[call.name].map {
                script.problem(
                    .unavailable, at: call.range, "\(call.name) is not available here, and calling it fails; \($0)")
            }
        }
    }
}

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
