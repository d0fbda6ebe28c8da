import Foundation
import Gateway
import HTTPTransfer
import PushModel

/// A running server, asked over HTTP.
struct ServerConnection: Sendable {
    let url: String
    /// What the note of the server says; not needed to call procedures.
    let key: String?
    /// What back ends show that call procedures (`backEnds.token`).
    var token: String?
    var trust = ServerTrust.system
    /// How long an answer may take.
    var timeout = Duration.seconds(600)

    /// - Throws: ``ServerError``.
    func answer(_ request: ManagementRequest) async throws -> ManagementReply {
        try await answer(to: try httpRequest(for: request))
    }

    /// Asks for what no ``ManagementRequest`` stands for.
    ///
    /// - Parameter path: in the management interface.
    /// - Throws: ``ServerError``.
    func get(_ path: String, _ fields: [(String, String)]) async throws -> JSONValue {
        let query = FormFields.encode(fields)
        let reply = try await answer(to: TransferRequest(url: "\(url)/management/v1/\(path)?\(query)"))
        return try JSONValue(parsing: reply.body)
    }

    private func answer(to request: TransferRequest) async throws -> ManagementReply {
        var http = request
        if let secret = key ?? token { http.headers.append(("Authorization", "Bearer \(secret)")) }
        let (status, text) = try await execute(http)
        let json = try? JSONValue(parsing: text)
        // A deployment that was refused is told in full.
        let isReport = [422, 404].contains(status) && json?["outcome"] != nil
        if [200, 202].contains(status) || isReport, let json {
            return ManagementReply(
                body: text, isSuccessful: (json["result"]?["isSuccessful"] ?? json["isSuccessful"]) != false)
        }
        // Of a server that is known by its note: another one listens there by now.
        throw ServerError(
            description: refusal(status, json), isUnreachable: status == 401 && key != nil)
    }

    private func refusal(_ status: Int, _ json: JSONValue?) -> String {
        let errors = json?["errors"]?.array?.compactMap(\.string).joined(separator: "; ")
        let reason = errors.map { ": \($0)" } ?? ""
        if let detail = json?["detail"]?.string {
            return (json?["field"]?.string).map { "\($0): \(detail)" } ?? detail
        }
        return switch status {
        case 401 where key != nil:
            "the server at \(url) is not the one whose note was found\(reason)"
        case 401 where token == nil:
            "the server at \(url) does not let everybody call this (401)\(reason); show it the token of its setting "
                + "backEnds.token with --token-file FILE or LAMPLIGHTER_BACK_ENDS_TOKEN, or of a server in development on "
                + "this machine the file 'development-key' in its data folder with --token-file"
        case 401:
            "the server at \(url) does not know the token (401)\(reason); its setting backEnds.token has another"
        case 200:
            "the server at \(url) answered what is no JSON; is it a Lamplighter, and is its context root in the URL?"
        case 404:
            "there is nothing to call at \(url) (404); is its context root in the URL, as in http://localhost:10080/wl?"
        default: errors ?? "the server at \(url) answered \(status)"
        }
    }

    private func execute(_ http: TransferRequest) async throws -> (status: Int, body: String) {
        var http = http
        http.timeout = timeout
        http.maximumSize = 1 << 30
        var settings = TransferClient.Settings()
        // A server that has left its note in the data folder is this machine's own. Its certificate is made out to the name
        // that its clients know, which is not the address that it is reached by here.
        settings.trust = try (key == nil ? trust : .all).transferTrust()
        let client = TransferClient(settings)
        defer { client.close() }
        do {
            let answer = try await client.send(http)
            return (answer.status, answer.text)
        } catch {
            throw ServerError(error, from: url, after: timeout, isOwn: key != nil)
        }
    }

    private func httpRequest(for request: ManagementRequest) throws -> TransferRequest {
        switch request {
        case .invoke(let adapter, let procedure, let parameters, let isAttended):
            return postForm(
                key == nil ? "invoke" : isAttended ? "management/v1/invoke?attended=true" : "management/v1/invoke",
                [("adapter", adapter), ("procedure", procedure), ("parameters", parameters)])
        case .traceInvocation(let adapter, let procedure, let parameters):
            guard key != nil else {
                throw ServerError(
                    description:
                        "\(url) does not tell back ends what a call did; trace it where the project's folder is")
            }
            let fields = [
                ("adapter", adapter), ("procedure", procedure), ("parameters", parameters), ("trace", "true"),
            ]
            return postForm("management/v1/invoke?attended=true", fields)
        case .tracePoll(let adapter, let source):
            return postForm("management/v1/invoke?attended=true", [("adapter", adapter), ("poll", source)])
        case .traceEvent(let adapter, let kind, let event):
            let fields = [("adapter", adapter), ("event", kind), ("parameters", event)]
            return postForm("management/v1/invoke?attended=true", fields)
        case .evaluate(let form):
            return try formRequest("POST", form, "adapters/\(PercentEncoding.encode(form.adapter))/evaluate")
        case .subscribe(let form): return try formRequest("POST", form)
        case .unsubscribe(let form): return try formRequest("DELETE", form)
        case .subscriptions(let source, let user, let application):
            let fields = [("eventSource", source), ("user", user), ("application", application)]
                .compactMap { key, value in value.map { (key, $0) } }
            return TransferRequest(url: "\(url)/management/v1/subscriptions?\(FormFields.encode(fields))")
        case .deliveries(let state, let limit):
            let fields = [("state", state), ("limit", "\(limit)")].compactMap { key, value in value.map { (key, $0) } }
            return TransferRequest(url: "\(url)/management/v1/deliveries?\(FormFields.encode(fields))")
        case .status: return TransferRequest(url: "\(url)/management/v1/status")
        case .applicationRules: return TransferRequest(url: "\(url)/management/v1/applications")
        case .setApplicationRule(let form): return try formRequest("PUT", form, "applications")
        case .removeApplicationRule(let form): return try formRequest("DELETE", form, "applications")
        case .clientLog(let form):
            let fields = [
                ("level", form.level), ("application", form.application), ("device", form.device), ("text", form.text),
                ("before", form.before.map(String.init)), ("limit", "\(form.limit)"),
            ].compactMap { key, value in value.map { (key, $0) } }
            return TransferRequest(url: "\(url)/management/v1/client-log?\(FormFields.encode(fields))")
        case .send(let body, let key):
            let headers = [("Content-Type", "application/json")] + (key.map { [("Idempotency-Key", $0)] } ?? [])
            return TransferRequest(
                "POST", url: "\(url)/management/v1/messages", headers: headers, body: Array(body.text.utf8))
        case .message(let id):
            return TransferRequest(url: "\(url)/management/v1/messages/\(PercentEncoding.encode(id))")
        case .adapters: return TransferRequest(url: "\(url)/management/v1/adapters")
        case .deploy(let adapter): return adapterRequest("POST", adapter)
        case .undeploy(let adapter): return adapterRequest("DELETE", adapter)
        }
    }

    private func postForm(_ path: String, _ fields: [(String, String)]) -> TransferRequest {
        TransferRequest(
            "POST", url: "\(url)/\(path)",
            headers: [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")],
            body: Array(FormFields.encode(fields).utf8))
    }

    private func formRequest(
        _ method: String, _ form: some Encodable, _ path: String = "subscriptions"
    ) throws -> TransferRequest {
        TransferRequest(
            method, url: "\(url)/management/v1/\(path)", headers: [("Content-Type", "application/json")],
            body: Array(try JSONEncoder().encode(form)))
    }

    private func adapterRequest(_ method: String, _ adapter: String) -> TransferRequest {
        TransferRequest(method, url: "\(url)/management/v1/adapters/\(PercentEncoding.encode(adapter))")
    }
}
