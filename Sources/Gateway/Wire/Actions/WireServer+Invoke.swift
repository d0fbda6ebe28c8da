import AdapterRuntime
import Authentication
import HTTPTypes
import Hummingbird
import PushModel

/// Procedure calls at the context root (wire-protocol 1, 5.4, 6.2; server-api 4).
///
/// Two kinds of callers come to `/invoke`. Back ends show a key of their own, or come from this machine while adapters are
/// being developed; they have no session, and are answered in plain JSON. Everybody else is a client, and must do
/// what clients do.
extension WireServer {
    private static let usage = "/invoke?adapter=<Adapter>&procedure=<procedure>&parameters=<JSON array>"

    func answerInvoke(_ call: IncomingCall) async -> Response {
        let names = ProcedureNames(
            adapter: call.fields["adapter"] ?? "", procedure: call.fields["procedure"] ?? "",
            parameters: call.fields["parameters"] ?? "")
        if let missing = names.missing {
            return WireAnswer.plainFailure(
                .unexpected, "the parameter '\(missing)' is missing; expected \(Self.usage)", status: .badRequest)
        }
        let caller = security.backEnds.caller(of: call, in: security.sessions)
        return await untilPermitted { () async throws(PermitOutdated) in try await answer(names, of: caller, call) }
    }

    private func answer(
        _ names: ProcedureNames, of caller: BackEndGate.Caller, _ call: IncomingCall
    ) async throws(PermitOutdated) -> Response {
        let permit = permit(forProcedure: names.procedure, adapter: names.adapter)
        let requirements = requirements(for: permit)
        switch caller {
        case .known: return try await invoke(names, call, .unconditional)
        case .unknown:
            return refusal(status: .unauthorized, "the credentials are not those of a back end") {
                $0[.wwwAuthenticate] = "Bearer, Basic realm=\"back ends\""
            }
        case .guessing(let wait):
            return refusal(status: .tooManyRequests, "too many wrong credentials came from this address") {
                $0[.retryAfter] = "\(max(1, wait.components.seconds))"
            }
        case .none:
            if isLocalTool(call), requirements == SecurityRequirements() {
                return try await invoke(names, call, permit)
            }
        }
        return await inSession(call) { exchange in
            await untilPermitted { () async throws(PermitOutdated) in
                let permit = self.permit(forProcedure: names.procedure, adapter: names.adapter)
                if let refusal = await refusal(of: exchange, self.requirements(for: permit)) { return refusal }
                return try await query(exchange, permit)
            }
        }
    }

    private func refusal(
        status: HTTPResponse.Status, _ reason: String, _ addHeaders: (inout HTTPFields) -> Void
    ) -> Response {
        var response = WireAnswer.plainFailure(.unexpected, reason, status: status)
        addHeaders(&response.headers)
        return response
    }

    /// `/dev/invoke`, as the tools of the original call it: no session, and the result indented in a page (wire-protocol
    /// 5.4). In development, from this machine.
    func answerDevelopmentInvoke(_ call: IncomingCall) async -> Response {
        guard installation.settings.mode == .development, call.origin.isLocal else {
            return WireAnswer.failure(.notFound, "/dev/invoke is for development on this machine", status: .notFound)
        }
        let names = ProcedureNames(
            adapter: call.fields["adapter"] ?? "", procedure: call.fields["procedure"] ?? "",
            parameters: call.fields["parameters"] ?? "")
        let result = await installation.runtime.invoke(
            adapter: names.adapter, procedure: names.procedure, parameters: names.parameters,
            caller: Caller(request: clientRequest(call)))
        let pretty = (try? JSONValue(parsing: result.json))?.prettyText(indentation: 3, shortest: 2) ?? result.json
        return WireAnswer.page(DevelopmentPage.html(title: "\(names.adapter).\(names.procedure)", result: pretty))
    }

    /// `/adapters/ADAPTER/PROCEDURE`, as of 7.0, in plain JSON.
    func answerAdapter(_ adapter: String, procedure: String, _ call: IncomingCall) async -> Response {
        let names = ProcedureNames(
            adapter: adapter, procedure: procedure, parameters: call.fields["params"] ?? "")
        let caller = security.backEnds.caller(of: call, in: security.sessions)
        return await untilPermitted { () async throws(PermitOutdated) in
            let permit = permit(forProcedure: procedure, adapter: adapter)
            switch caller {
            case .known: return try await invoke(names, call, .unconditional)
            case .unknown, .guessing, .none:
                if isLocalTool(call), requirements(for: permit) == SecurityRequirements() {
                    return try await invoke(names, call, permit)
                }
            }
            return try await answerWithToken(names, permit, call)
        }
    }

    func invoke(
        _ names: ProcedureNames, _ call: IncomingCall, _ permit: CallPermit, session: ServerSession? = nil
    ) async throws(PermitOutdated) -> Response {
        let result = try await installation.runtime.invoke(
            adapter: names.adapter, procedure: names.procedure, parameters: names.parameters,
            caller: Caller(session: session?.client, request: clientRequest(call)), permit: permit)
        return WireAnswer.plain(result.json).adding(result.headers)
    }

    // MARK: Who calls

    /// Whether an adapter's author is trying something out on their own machine.
    private func isLocalTool(_ call: IncomingCall) -> Bool {
        let headers = call.request.headers
        return installation.settings.mode == .development && call.origin.isLocal && headers[.instanceID] == nil
            && headers[.requestedWith] == nil && headers[.authorization] == nil
            && SessionCookies(headers).sessionIDs.isEmpty
    }
}

/// A call that somebody asks for.
struct ProcedureNames: Sendable {
    let adapter: String
    let procedure: String
    let parameters: String

    var missing: String? { adapter.isEmpty ? "adapter" : procedure.isEmpty ? "procedure" : nil }
}
