import AdapterRuntime
import Authentication
import Core
import HTTPServer
import HTTPTypes
import Installation

/// Procedure calls at the context root (wire-protocol 1, 5.4, 6.2; server-api 4).
///
/// `/invoke` has three kinds of callers. Back ends send a key, or in development the key in the data folder; they have no session, and
/// get plain JSON. Programs log in with HTTP Basic, if the procedure's security test has a realm for it; they get plain JSON too. All other
/// callers are clients, and must follow the protocol of clients.
extension ClientProtocolHandler {
    private static let usage = "/invoke?adapter=<Adapter>&procedure=<procedure>&parameters=<JSON array>"

    /// Responds to `/invoke`, and to `/adapters/ADAPTER/PROCEDURE`, which came with 7.0: both in plain JSON.
    ///
    /// - Parameter isByToken: whether clients show tokens, in the header that has the keys of back ends, and have no session.
    func answerInvoke(_ call: IncomingRequest, isByToken: Bool) async -> Response {
        guard !call.adapter.isEmpty, !call.procedure.isEmpty else {
            let missing = call.adapter.isEmpty ? "adapter" : "procedure"
            return ClientProtocolResponse.plainFailure(
                .unexpected, "the parameter '\(missing)' is missing; expected \(Self.usage)", status: .badRequest)
        }
        let caller = caller(of: call)
        switch caller {
        case .backEnd:
            return ClientProtocolResponse.plain(
                await installation.runtime.invoke(
                    adapter: call.adapter, procedure: call.procedure, parameters: call.parameters,
                    caller: Caller(request: clientRequest(call))))
        case .basicLogin where !isByToken: return await answerBasicLogin(call)
        case .refused(let refusal) where refusal.isFinal || !isByToken: return refusal.response
        case .client where !isByToken: return await answerClient(call)
        case .program, .basicLogin, .refused, .client: break
        }
        return await retryWithCurrentPermit(permit(of: call)) { permit async throws(StalePermitError) in
            if case .program = caller, requirements(for: permit) == SecurityRequirements() {
                return ClientProtocolResponse.plain(
                    try await installation.runtime.invoke(
                        adapter: call.adapter, procedure: call.procedure, parameters: call.parameters,
                        caller: Caller(request: clientRequest(call)), permit: permit))
            }
            guard isByToken else { return await answerClient(call) }
            guard security.policy.admitsClients else { return Self.noClients }
            return try await answerWithToken(call, permit)
        }
    }

    /// Responds to a client: in its session, and after the checks of the procedure's security test.
    func answerClient(_ call: IncomingRequest) async -> Response {
        guard security.policy.admitsClients else { return Self.noClients }
        return await inSession(call) { exchange in
            if let block = handshake.blockOfUnknown(exchange.application) { return block }
            return await retryWithCurrentPermit(permit(of: call)) { permit async throws(StalePermitError) in
                if let refusal = await refusal(of: exchange, requirements(for: permit)) { return refusal }
                return try await query(exchange, permit)
            }
        }
    }

    /// The response to a client when the server admits no clients.
    private static var noClients: Response {
        ClientProtocolResponse.plainFailure(
            .unexpected, "the server has no applications, so that only back ends may call", status: .forbidden)
    }

    /// `/dev/invoke`, as the tools of the original call it: no session, and the result indented in a page
    /// (wire-protocol 5.4).
    func answerDevelopmentInvoke(_ call: IncomingRequest) async -> Response {
        if let refusal = developmentRefusal(of: call, "/dev/invoke") { return refusal }
        let result = await installation.runtime.invoke(
            adapter: call.adapter, procedure: call.procedure, parameters: call.parameters,
            caller: Caller(request: clientRequest(call)))
        let pretty = try? await ThreadPool.shared.run(ifLong: result.json.utf8.count) {
            try JSONValue(parsing: result.json).prettyText(indentation: 3, shortest: 2)
        }
        return ClientProtocolResponse.page(
            DevelopmentPage.html(title: "\(call.adapter).\(call.procedure)", result: pretty ?? result.json))
    }
}

/// The page in which the original's tools expect a procedure's result: they read from the first brace of the `textarea` element to its end
/// (wire-protocol 5.4).
enum DevelopmentPage {
    /// - Parameter result: JSON. Its quotes stay, for the tools decode nothing; only characters that would end the element are written in an
    ///   equivalent form.
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

    /// Escapes each `<`. It compares scalars, as browsers do: `<` begins a tag even if a combining character follows it.
    private static func withoutTags(_ json: String) -> String {
        var result = ""
        for scalar in json.unicodeScalars {
            if scalar == "<" { result += "\\u003c" } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}
