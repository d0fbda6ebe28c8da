import AdapterRuntime
import Authentication
import Core
import HTTPServer
import HTTPTypes
import Installation

/// Procedure calls at the context root (wire-protocol 1, 5.4, 6.2; server-api 4).
///
/// Two kinds of callers come to `/invoke`. Back ends show a key of their own, or in development the key in the data folder; they
/// have no session, and are answered in plain JSON. Everybody else is a client, and must do what clients do.
extension ClientProtocolHandler {
    private static let usage = "/invoke?adapter=<Adapter>&procedure=<procedure>&parameters=<JSON array>"

    func answerInvoke(_ call: IncomingRequest) async -> Response {
        let names = RequestedProcedure(
            adapter: call.fields["adapter"] ?? "", procedure: call.fields["procedure"] ?? "",
            parameters: call.fields["parameters"] ?? "")
        if let missing = names.missing {
            return ClientProtocolResponse.plainFailure(
                .unexpected, "the parameter '\(missing)' is missing; expected \(Self.usage)", status: .badRequest)
        }
        let caller = caller(of: call)
        return await retryWithCurrentPermit { () async throws(StalePermitError) in
            if let answer = try await answer(names, of: caller, call, wantsKeys: true) { return answer }
            guard security.policy.admitsClients else { return Self.noClients }
            return await inSession(call) { exchange in
                if let block = handshake.blockOfUnknown(exchange.application) { return block }
                return await retryWithCurrentPermit { () async throws(StalePermitError) in
                    let permit = self.permit(forProcedure: names.procedure, adapter: names.adapter)
                    if let refusal = await refusal(of: exchange, self.requirements(for: permit)) { return refusal }
                    return try await query(exchange, permit)
                }
            }
        }
    }

    /// The response to a client when the server admits no clients.
    private static var noClients: Response {
        ClientProtocolResponse.plainFailure(
            .unexpected, "the server has no applications, so that only back ends may call", status: .forbidden)
    }

    /// Answers callers that are not clients.
    ///
    /// - Parameter wantsKeys: whether a request with other credentials is refused, since clients bring none there.
    /// - Returns: `nil` for a client.
    private func answer(
        _ names: RequestedProcedure, of caller: ProcedureCaller, _ call: IncomingRequest, wantsKeys: Bool
    ) async throws(StalePermitError) -> Response? {
        let permit = permit(forProcedure: names.procedure, adapter: names.adapter)
        switch caller {
        case .backEnd: return try await invoke(names, call, .unconditional)
        case .program where requirements(for: permit) == SecurityRequirements():
            return try await invoke(names, call, permit)
        case .refused(let refusal) where wantsKeys || refusal.isFinal: return refusal.response
        case .program, .refused, .client: return nil
        }
    }

    /// `/dev/invoke`, as the tools of the original call it: no session, and the result indented in a page
    /// (wire-protocol 5.4).
    func answerDevelopmentInvoke(_ call: IncomingRequest) async -> Response {
        if let refusal = developmentRefusal(of: call, "/dev/invoke") { return refusal }
        let names = RequestedProcedure(
            adapter: call.fields["adapter"] ?? "", procedure: call.fields["procedure"] ?? "",
            parameters: call.fields["parameters"] ?? "")
        let result = await installation.runtime.invoke(
            adapter: names.adapter, procedure: names.procedure, parameters: names.parameters,
            caller: Caller(request: clientRequest(call)))
        let pretty = try? await ThreadPool.shared.run(ifLong: result.json.utf8.count) {
            try JSONValue(parsing: result.json).prettyText(indentation: 3, shortest: 2)
        }
        return ClientProtocolResponse.page(
            DevelopmentPage.html(title: "\(names.adapter).\(names.procedure)", result: pretty ?? result.json))
    }

    /// `/adapters/ADAPTER/PROCEDURE`, as of 7.0, in plain JSON.
    func answerAdapter(_ adapter: String, procedure: String, _ call: IncomingRequest) async -> Response {
        let names = RequestedProcedure(
            adapter: adapter, procedure: procedure, parameters: call.fields["params"] ?? "")
        let caller = caller(of: call)
        return await retryWithCurrentPermit { () async throws(StalePermitError) in
            if let answer = try await answer(names, of: caller, call, wantsKeys: false) { return answer }
            guard security.policy.admitsClients else { return Self.noClients }
            return try await answerWithToken(
                names, permit(forProcedure: procedure, adapter: adapter), call)
        }
    }

    /// Calls a procedure for a caller that is not a client.
    private func invoke(
        _ names: RequestedProcedure, _ call: IncomingRequest, _ permit: CallPermit
    ) async throws(StalePermitError) -> Response {
        let result = try await installation.runtime.invoke(
            adapter: names.adapter, procedure: names.procedure, parameters: names.parameters,
            caller: Caller(request: clientRequest(call)), permit: permit)
        return ClientProtocolResponse.plain(result.json).adding(result.headers)
    }
}

/// A call that somebody asks for.
struct RequestedProcedure: Sendable {
    let adapter: String
    let procedure: String
    let parameters: String

    var missing: String? { adapter.isEmpty ? "adapter" : procedure.isEmpty ? "procedure" : nil }
}

/// The page in which the original's tools look for a procedure's result: they take the text from the first brace of the text
/// area to its end (wire-protocol 5.4).
enum DevelopmentPage {
    /// - Parameter result: JSON. Its quotes stay as they are, for the tools decode nothing; only what would end the text
    ///   area is written in another way that means the same.
    static func html(title: String, result: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>\(title.escapedForHTML)</title>
        <style>
        body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem }
        textarea { width: 100%; height: 70vh; font: 14px/1.4 monospace }
        </style>
        </head>
        <body>
        <h1>\(title.escapedForHTML)</h1>
        <textarea readonly aria-label="Result">\(withoutTags(result))</textarea>
        </body>
        </html>
        """
    }

    /// Goes by what browsers see: `<` is a tag's beginning even where it makes one character with its neighbour.
    private static func withoutTags(_ json: String) -> String {
        var result = ""
        for scalar in json.unicodeScalars {
            if scalar == "<" { result += "\\u003c" } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}
