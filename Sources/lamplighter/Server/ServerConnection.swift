import Core
import Foundation
import HTTPTransfer
import Installation
import Management

/// A running server, asked over HTTP.
struct ServerConnection: Sendable {
    let url: String
    /// The key in the server's note; not needed to call procedures.
    let key: String?
    /// The credential of back ends that call procedures (`backEnds.token`).
    var token: String?
    var trust = ServerTrust.system
    /// The timeout of a response.
    var timeout = Duration.seconds(600)

    /// Calls the management API.
    ///
    /// - Throws: ``CommandError``, also when the response is a problem.
    func answer(_ call: ManagementCall) async throws -> JSONReply {
        let path = call.path.map { PercentEncoding.encode($0) }.joined(separator: "/")
        let query = call.query.isEmpty ? "" : "?" + FormFields.encode(call.query.map { ($0.name, $0.value) })
        var request = TransferRequest(call.method, url: "\(url)/management/v1/\(path)\(query)")
        if let body = call.body {
            request.headers.append(("Content-Type", "application/json"))
            request.body = Array(body.text.utf8)
        }
        if let key = call.idempotencyKey { request.headers.append(("Idempotency-Key", key)) }
        return try await answer(to: request)
    }

    /// Calls a procedure as back ends do.
    ///
    /// - Throws: ``CommandError``.
    func invoke(adapter: String, procedure: String, parameters: String) async throws -> CallResult {
        let fields = [("adapter", adapter), ("procedure", procedure), ("parameters", parameters)]
        let request = TransferRequest(
            "POST", url: "\(url)/invoke",
            headers: [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")],
            body: Array(FormFields.encode(fields).utf8))
        return CallResult(result: try await answer(to: request).value)
    }

    private func answer(to request: TransferRequest) async throws -> JSONReply {
        var http = request
        if let secret = key ?? token { http.headers.append(("Authorization", "Bearer \(secret)")) }
        // For the audit log of this machine's own server.
        if key != nil { http.headers.append((ManagementPrincipal.userHeader, ManagementPrincipal.userName)) }
        let (status, text) = try await execute(http)
        let json = try? JSONValue(parsing: text)
        if (200..<300).contains(status), json != nil { return JSONReply(text) }
        // Another server listens at the address in the note by now.
        let isOther = status == 401 && key != nil
        if !isOther, json?["detail"] != nil { throw CommandError(problem: text, status: status) }
        throw CommandError(description: refusal(status, json), isUnreachable: isOther)
    }

    private func refusal(_ status: Int, _ json: JSONValue?) -> String {
        let errors = json?["errors"]?.array?.compactMap(\.string).joined(separator: "; ")
        let reason = errors.map { ": \($0)" } ?? ""
        return switch status {
        case 401 where key != nil:
            "the server at \(url) is not the one whose note was found\(reason)"
        case 401 where token == nil:
            "the server at \(url) needs a token (401)\(reason); pass --token-file FILE with its backEnds.token, or, for a "
                + "server in development mode on this machine, --token-file .lamplighter/development-key"
        case 401:
            "the server at \(url) does not know the token (401)\(reason); its setting backEnds.token has another value"
        case 200:
            "the response of the server at \(url) is not JSON; is it a Lamplighter server, and is its context root in the URL?"
        case 404:
            "there is nothing to call at \(url) (404); is its context root in the URL, as in http://localhost:10080/wl?"
        default: errors ?? "the server at \(url) returned status \(status)"
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
            throw CommandError(error, from: url, after: timeout, isOwn: key != nil)
        }
    }
}
